/** When the last work of a key has ended, in milliseconds of `performance.now()`. */
interface LastWork {
  readonly key: number;
  readonly endedAt: number;
}

const NONE: LastWork = { key: 0, endedAt: Number.NEGATIVE_INFINITY };

/**
 * Knows for which keys, such as customers, this process works, and for which it has worked last. Long work uses it to take
 * all that is idle, and to leave a part to the other keys as soon as there are any.
 */
export class KeyActivity {
  /** How much work of a key is in progress. */
  private readonly inProgress = new Map<number, number>();
  private latest = NONE;
  /** The latest end of work of another key than that of `latest`. */
  private latestOfOthers = NONE;

  /** Counts work of a key, such as a statement, as in progress. @returns what ends it, which is called once */
  begin(key: number): () => void {
    this.inProgress.set(key, (this.inProgress.get(key) ?? 0) + 1);
    return () => this.end(key);
  }

  /** @returns whether work of another key is in progress, or has ended at most this time ago */
  hasOthers(key: number, withinMs: number): boolean {
    if (this.inProgress.size > (this.inProgress.has(key) ? 1 : 0)) return true;
    const other = this.latest.key === key ? this.latestOfOthers : this.latest;
    return performance.now() - other.endedAt <= withinMs;
  }

  private end(key: number): void {
    const remaining = (this.inProgress.get(key) ?? 0) - 1;
    if (remaining > 0) this.inProgress.set(key, remaining);
    else this.inProgress.delete(key);
    if (this.latest.key !== key) this.latestOfOthers = this.latest;
    this.latest = { key, endedAt: performance.now() };
  }
}
