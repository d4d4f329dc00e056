import { type LineLimit, waitInLine, type WaitLimit } from './waiting-line.js';

/** The limits of a {@link MemoryQueue}. */
export interface MemoryQueueLimits {
  /** How many bytes the running tasks of a key occupy together. A task that occupies more runs alone. */
  readonly bytesPerKey: number;
  readonly waiting: LineLimit;
}

/** Returns the bytes that a task occupies at the moment, or may occupy soon. May change while the task runs. */
export type MemoryUse = () => number;

interface Entry {
  readonly running: Set<MemoryUse>;
  /** What starts the tasks that wait, in the order of the calls. */
  readonly waiting: Map<() => void, MemoryUse>;
}

/**
 * Limits the memory that the tasks of a key occupy. Keys do not affect each other. A task that
 * would exceed the limit waits, and smaller ones that fit may start before it.
 */
export class MemoryQueue<Key = number> {
  private readonly entries = new Map<Key, Entry>();

  constructor(private readonly limits: MemoryQueueLimits) {}

  /**
   * Waits until the task fits beside the running ones of its key.
   * @param use is called again whenever another task wants to start
   * @returns what ends the task; further calls have no effect
   * @throws the error of the limit if too many tasks of the key are waiting, and that of `limit` after its time
   */
  async acquire(key: Key, use: MemoryUse, signal?: AbortSignal, limit?: WaitLimit): Promise<() => void> {
    signal?.throwIfAborted();
    const release = this.tryAcquire(key, use);
    if (release) return release;
    const { waiting } = this.entryOf(key);
    if (waiting.size >= this.limits.waiting.perKey) throw this.limits.waiting.error();
    const line = {
      add: (start: () => void) => waiting.set(start, use),
      delete: (start: () => void) => waiting.delete(start),
    };
    await waitInLine(line, signal, limit);
    return this.releaseOf(key, use);
  }

  /** @returns what ends the task, or undefined if the task would have to wait */
  tryAcquire(key: Key, use: MemoryUse): (() => void) | undefined {
    const entry = this.entryOf(key);
    if (!this.fits(entry, use)) return undefined;
    entry.running.add(use);
    return this.releaseOf(key, use);
  }

  private entryOf(key: Key): Entry {
    const entry = this.entries.get(key) ?? { running: new Set(), waiting: new Map() };
    this.entries.set(key, entry);
    return entry;
  }

  private fits({ running }: Entry, use: MemoryUse): boolean {
    if (running.size === 0) return true;
    let bytes = use();
    for (const runningUse of running) bytes += runningUse();
    return bytes <= this.limits.bytesPerKey;
  }

  private releaseOf(key: Key, use: MemoryUse): () => void {
    return () => {
      if (this.entries.get(key)?.running.delete(use)) this.startWaiting(key);
    };
  }

  private startWaiting(key: Key): void {
    const entry = this.entryOf(key);
    for (const [start, use] of entry.waiting) {
      if (!this.fits(entry, use)) continue;
      entry.running.add(use);
      start();
    }
    if (entry.running.size === 0 && entry.waiting.size === 0) this.entries.delete(key);
  }
}
