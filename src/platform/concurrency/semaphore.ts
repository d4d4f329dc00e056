import pLimit, { type LimitFunction } from 'p-limit';
import { TooManyRequests } from '../errors/index.js';

/** Limits how many tasks run at the same time. The others wait, and start in the order in which they came. */
export class Semaphore {
  private readonly limit: LimitFunction;

  /**
   * @param maxConcurrency how many tasks may run at the same time
   * @param maxWaiting how many tasks may wait
   */
  constructor(
    maxConcurrency: number,
    private readonly maxWaiting = Number.POSITIVE_INFINITY,
  ) {
    this.limit = pLimit(maxConcurrency);
  }

  /** @throws TooManyRequests if too many tasks are waiting */
  async run<R>(task: () => Promise<R>): Promise<R> {
    const { activeCount, concurrency, pendingCount } = this.limit;
    if (activeCount >= concurrency && pendingCount >= this.maxWaiting) throw new TooManyRequests();
    return this.limit(task);
  }
}

/** A {@link Semaphore} for each key, such as a workspace, so that none of them takes the capacity of the others. */
export class KeyedSemaphore<Key> {
  private readonly entries = new Map<Key, { readonly semaphore: Semaphore; count: number }>();

  /**
   * @param maxConcurrency how many tasks of one key may run at the same time
   * @param maxWaiting how many tasks of one key may wait
   */
  constructor(
    private readonly maxConcurrency: number,
    private readonly maxWaiting?: number,
  ) {}

  /** @throws TooManyRequests if too many tasks of this key are waiting */
  async run<R>(key: Key, task: () => Promise<R>): Promise<R> {
    const entry = this.entries.get(key) ?? { semaphore: new Semaphore(this.maxConcurrency, this.maxWaiting), count: 0 };
    this.entries.set(key, entry);
    entry.count++;
    try {
      return await entry.semaphore.run(task);
    } finally {
      if (--entry.count === 0) this.entries.delete(key);
    }
  }
}
