/** An error is used for so many periods at most, because the next computation may succeed. */
const MAX_FAILURE_PERIODS = 6;

/** Computes a result at most once in a period. Callers that come while it is computed or recent share it. */
export class RecentResult<R> {
  private latest: Promise<R> | undefined;

  /**
   * @param maxAgeMs how long a result, or an error, is used after its computation has ended
   * @param part which part of the time the computation takes at most: a slow result is used for longer
   */
  constructor(
    private readonly compute: () => Promise<R>,
    private readonly maxAgeMs: number,
    private readonly part = 1,
  ) {}

  /** @throws what the computation throws */
  get(): Promise<R> {
    this.latest ??= this.computeOnce();
    return this.latest;
  }

  private async computeOnce(): Promise<R> {
    const startedAt = performance.now();
    let longest = MAX_FAILURE_PERIODS * this.maxAgeMs;
    try {
      const result = await this.compute();
      longest = Number.POSITIVE_INFINITY;
      return result;
    } finally {
      const pause = Math.min((performance.now() - startedAt) * (1 / this.part - 1), longest);
      setTimeout(() => (this.latest = undefined), Math.max(this.maxAgeMs, pause)).unref();
    }
  }
}
