import { TooManyRequests } from '../errors/index.js';

/** Lets a few pieces of work run at a time; the others wait in the order in which they came. */
export class Semaphore {
  private readonly waiting: (() => void)[] = [];

  /**
   * @param free how many may run at a time
   * @param maxWaiting how many may wait; more are turned away
   */
  constructor(
    private free: number,
    private readonly maxWaiting = Number.POSITIVE_INFINITY,
  ) {}

  /** @throws TooManyRequests when too many wait already */
  async run<R>(work: () => Promise<R>): Promise<R> {
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
    if (this.waiting.length >= this.maxWaiting) throw new TooManyRequests();
    return new Promise((resolve) => this.waiting.push(resolve));
  }
}

/** Turns for each of many, such as workspaces, so that none of them takes them all. */
export class KeyedSemaphore<Key> {
  private readonly entries = new Map<Key, { readonly semaphore: Semaphore; count: number }>();

  /** The same numbers as of {@link Semaphore}, for each key. */
  constructor(
    private readonly limit: number,
    private readonly maxWaiting?: number,
  ) {}

  /** @throws TooManyRequests when too many wait already for this key */
  async run<R>(key: Key, work: () => Promise<R>): Promise<R> {
    const entry = this.entries.get(key) ?? { semaphore: new Semaphore(this.limit, this.maxWaiting), count: 0 };
    this.entries.set(key, entry);
    entry.count++;
    try {
      return await entry.semaphore.run(work);
    } finally {
      if (--entry.count === 0) this.entries.delete(key);
    }
  }
}
