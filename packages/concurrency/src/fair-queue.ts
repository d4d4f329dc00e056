import { type LineLimit, waitInLine, type WaitLimit } from './waiting-line.js';

/** The limits of a {@link FairQueue}. */
export interface FairQueueLimits {
  /** How many tasks run at the same time. */
  readonly concurrency: number;
  /** How many tasks of one key run at the same time. Without it, the places that are free decide. */
  readonly perKey?: number;
  /** Without it, any number of tasks waits. */
  readonly waiting?: LineLimit;
}

interface Entry {
  running: number;
  /** What starts the tasks that wait, in the order of the calls. */
  readonly waiting: Set<() => void>;
}

/** A key with running tasks takes another place only if it has fewer than this many times the free places. */
const TIMES_FREE = 3;

/**
 * Shares places between keys, such as the customers of a service. A task that cannot start waits in the line of its key, and the
 * lines take turns. A key without a running task takes any free place. The others leave room: a key takes another place
 * only while it has fewer than three times the free ones, so that one key alone takes three quarters of the places, and a
 * new key does not wait for tasks of those that came before (dynamic thresholds: Choudhury and Hahne, 1998).
 */
export class FairQueue<Key = number> {
  private running = 0;
  /** The keys that have tasks, in the order of their turns. */
  private readonly entries = new Map<Key, Entry>();

  constructor(private readonly limits: FairQueueLimits) {}

  /**
   * Runs a task when its key has a place.
   * @param signal ends the waiting with its reason; a running task is not affected
   * @throws the error of the limit if too many tasks of the key are waiting
   */
  async run<R>(key: Key, task: () => Promise<R>, signal?: AbortSignal): Promise<R> {
    const release = this.tryAcquire(key) ?? (await this.acquire(key, signal));
    try {
      return await task();
    } finally {
      release();
    }
  }

  /**
   * Like {@link run}, for work that is more than one call.
   * @returns what releases the place; further calls have no effect
   * @throws the error of `limit` after its time
   */
  async acquire(key: Key, signal?: AbortSignal, limit?: WaitLimit): Promise<() => void> {
    signal?.throwIfAborted();
    const release = this.tryAcquire(key);
    if (release) return release;
    const entry = this.entryOf(key);
    await this.wait(entry, signal, limit).catch((error: unknown) => this.giveUp(key, entry, error));
    return this.releaseOnce(key, entry);
  }

  /** @returns what releases the place, or undefined if the task would have to wait */
  tryAcquire(key: Key): (() => void) | undefined {
    const entry = this.entries.get(key) ?? { running: 0, waiting: new Set() };
    if (entry.waiting.size > 0 || !this.mayStart(entry)) return undefined;
    this.entries.set(key, entry);
    this.take(entry);
    return this.releaseOnce(key, entry);
  }

  /** The number of tasks of a key that run or wait. */
  size(key: Key): number {
    const entry = this.entries.get(key);
    return entry ? entry.running + entry.waiting.size : 0;
  }

  /** Whether a task of this key could start now. */
  hasPlaceFor(key: Key): boolean {
    const entry = this.entries.get(key) ?? { running: 0, waiting: new Set() };
    return entry.waiting.size === 0 && this.mayStart(entry);
  }

  /** The number of tasks that wait, of all keys. */
  get waiting(): number {
    let count = 0;
    for (const { waiting } of this.entries.values()) count += waiting.size;
    return count;
  }

  private entryOf(key: Key): Entry {
    const entry = this.entries.get(key) ?? { running: 0, waiting: new Set() };
    this.entries.set(key, entry);
    return entry;
  }

  private releaseOnce(key: Key, entry: Entry): () => void {
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      this.release(key, entry);
    };
  }

  private async wait(entry: Entry, signal?: AbortSignal, limit?: WaitLimit): Promise<void> {
    const { waiting } = this.limits;
    if (waiting && entry.waiting.size >= waiting.perKey) throw waiting.error();
    await waitInLine(entry.waiting, signal, limit);
  }

  private giveUp(key: Key, entry: Entry, error: unknown): never {
    if (entry.running === 0 && entry.waiting.size === 0) this.entries.delete(key);
    throw error;
  }

  private mayStart({ running }: Entry): boolean {
    const free = this.limits.concurrency - this.running;
    if (free <= 0 || running >= (this.limits.perKey ?? Number.POSITIVE_INFINITY)) return false;
    return running === 0 || running < TIMES_FREE * free;
  }

  private take(entry: Entry): void {
    entry.running += 1;
    this.running += 1;
  }

  /** A key whose task has started or ended goes to the end of the line of keys. */
  private release(key: Key, entry: Entry): void {
    entry.running -= 1;
    this.running -= 1;
    this.entries.delete(key);
    if (entry.running > 0 || entry.waiting.size > 0) this.entries.set(key, entry);
    while (this.startNext());
  }

  /** @returns whether a task could start */
  private startNext(): boolean {
    for (const [key, entry] of this.entries) {
      const [next] = entry.waiting;
      if (!next || !this.mayStart(entry)) continue;
      entry.waiting.delete(next);
      this.entries.delete(key);
      this.entries.set(key, entry);
      this.take(entry);
      next();
      return true;
    }
    return false;
  }
}
