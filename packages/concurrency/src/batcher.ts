interface PendingItem<In, Out> {
  readonly item: In;
  readonly resolve: (out: Out) => void;
  readonly reject: (error: unknown) => void;
}

/** The limits of a {@link Batcher}. */
export interface BatcherOptions {
  /** The number of items in one batch. */
  readonly maxBatchSize?: number;
  /** The number of batches that run at the same time. */
  readonly maxConcurrency?: number;
  /**
   * The milliseconds after a batch of several items in which the next one is collected; default 0. Each batch costs a few
   * times as much as one of its items.
   */
  readonly collectMs?: number;
}

/**
 * Collects the items of many callers and processes them together, for example in one statement. Items that arrive while
 * a batch runs, and those of the same turn of the event loop, go to the next one. A single caller does not wait longer.
 */
export class Batcher<In, Out> {
  private pending: PendingItem<In, Out>[] = [];
  private running = 0;
  private isStarting = false;
  private isCollecting = false;
  private readonly maxBatchSize: number;
  private readonly maxConcurrency: number;
  private readonly collectMs: number;

  /** @param runBatch returns the results of a batch, in the order of its items */
  constructor(
    private readonly runBatch: (items: readonly In[]) => Promise<readonly Out[]>,
    options: BatcherOptions = {},
  ) {
    this.maxBatchSize = options.maxBatchSize ?? 500;
    this.maxConcurrency = options.maxConcurrency ?? 2;
    this.collectMs = options.collectMs ?? 0;
  }

  /** @returns the result of this item. @throws what the batch of the item throws */
  submit(item: In): Promise<Out> {
    return new Promise((resolve, reject) => {
      this.pending.push({ item, resolve, reject });
      this.start();
    });
  }

  private start(): void {
    if (this.isStarting || this.isCollecting || this.running >= this.maxConcurrency || this.pending.length === 0)
      return;
    this.isStarting = true;
    setImmediate(() => {
      this.isStarting = false;
      void this.run();
      this.start();
    });
  }

  /** Never rejects: an error goes to the callers of its batch. */
  private async run(): Promise<void> {
    const batch = this.pending.splice(0, this.maxBatchSize);
    if (batch.length === 0) return;
    this.running++;
    try {
      const results = await this.runBatch(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, index) => resolve(results[index] as Out));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    this.running--;
    if (this.collectMs > 0 && batch.length > 1) this.collect();
    else this.start();
  }

  private collect(): void {
    this.isCollecting = true;
    setTimeout(() => {
      this.isCollecting = false;
      this.start();
    }, this.collectMs);
  }
}
