import { TooManyRequests } from '../errors/index.js';

/** Lets a few pieces of work run at a time; the others wait in the order in which they came. */
export class Turns {
  private readonly waiting: (() => void)[] = [];

  /**
   * @param free how many may run at a time
   * @param mostWaiting how many may wait; more are turned away
   */
  constructor(
    private free: number,
    private readonly mostWaiting = Number.POSITIVE_INFINITY,
  ) {}

  /** @throws TooManyRequests when too many wait already */
  async take<R>(work: () => Promise<R>): Promise<R> {
    if (this.free > 0) this.free--;
    else await this.wait();
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.free++;
    }
  }

  private wait(): Promise<void> {
    if (this.waiting.length >= this.mostWaiting) throw new TooManyRequests();
    return new Promise((resolve) => this.waiting.push(resolve));
  }
}

/** Turns for each of many, such as workspaces, so that none of them takes them all. */
export class TurnsOfEach<Key> {
  private readonly takers = new Map<Key, { readonly turns: Turns; count: number }>();

  /** The same numbers as of {@link Turns}, for each key. */
  constructor(
    private readonly free: number,
    private readonly mostWaiting?: number,
  ) {}

  /** @throws TooManyRequests when too many wait already for this key */
  async take<R>(key: Key, work: () => Promise<R>): Promise<R> {
    const taker = this.takers.get(key) ?? { turns: new Turns(this.free, this.mostWaiting), count: 0 };
    this.takers.set(key, taker);
    taker.count++;
    try {
      return await taker.turns.take(work);
    } finally {
      if (--taker.count === 0) this.takers.delete(key);
    }
  }
}
