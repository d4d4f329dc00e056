/** Computes a result at most once in a period. Callers that come while it is computed or recent share it. */
export class RecentResult<R> {
  private latest: Promise<R> | undefined;

  /** @param maxAgeMs how long a result, or an error, is used after its computation has ended */
  constructor(
    private readonly compute: () => Promise<R>,
    private readonly maxAgeMs: number,
  ) {}

  /** @throws what the computation throws */
  get(): Promise<R> {
    this.latest ??= this.computeOnce();
    return this.latest;
  }

  private async computeOnce(): Promise<R> {
    try {
      return await this.compute();
    } finally {
      setTimeout(() => (this.latest = undefined), this.maxAgeMs).unref();
    }
  }
}
