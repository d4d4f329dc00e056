/** Lets a few pieces of work run at a time; the others wait in the order in which they came. */
export class Turns {
  private readonly waiting: (() => void)[] = [];

  /** @param free how many may run at a time */
  constructor(private free: number) {}

  async take<R>(work: () => Promise<R>): Promise<R> {
    if (this.free > 0) this.free--;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.free++;
    }
  }
}
