interface PendingItem<In, Out> {
  readonly item: In;
  readonly resolve: (out: Out) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Gathers what many callers want from the database into one statement: while a batch is under way the next one fills.
 * One caller alone waits for nothing.
 */
export class Batcher<In, Out> {
  private pending: PendingItem<In, Out>[] = [];
  private running = 0;

  /**
   * @param runBatch answers a batch in its order
   * @param maxBatchSize items in a batch
   * @param maxConcurrency batches at a time
   */
  constructor(
    private readonly runBatch: (items: readonly In[]) => Promise<readonly Out[]>,
    private readonly maxBatchSize = 500,
    private readonly maxConcurrency = 2,
  ) {}

  submit(item: In): Promise<Out> {
    return new Promise((resolve, reject) => {
      this.pending.push({ item, resolve, reject });
      if (this.running < this.maxConcurrency) void this.run();
    });
  }

  /** Every failure reaches the callers of its batch; this promise itself never rejects. */
  private async run(): Promise<void> {
    this.running++;
    while (this.pending.length > 0) {
      const batch = this.pending.splice(0, this.maxBatchSize);
      try {
        const results = await this.runBatch(batch.map(({ item }) => item));
        batch.forEach(({ resolve }, index) => resolve(results[index] as Out));
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.running--;
  }
}
