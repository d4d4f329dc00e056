interface PendingItem<In, Out> {
  readonly item: In;
  readonly resolve: (out: Out) => void;
  readonly reject: (error: unknown) => void;
}

/** For how many items a batch waits, if these arrive quickly. */
export interface Gathering {
  /** Returns the number of items for which a batch waits. */
  readonly size: () => number;
  /** How many times the duration of a batch it waits at most, so that batches use only a part of the database. */
  readonly durations: number;
}

export interface BatcherOptions {
  /** The number of items in one batch. */
  readonly maxBatchSize?: number;
  /** The number of batches that run at the same time. */
  readonly maxConcurrency?: number;
  readonly gathering?: Gathering;
}

/** How many arrivals are stored. */
const MAX_ARRIVALS = 1_000;
/** The longest time that a batch waits for more items. */
const MAX_GATHERING_MS = 250;

/**
 * Collects the items of many callers and processes them together, for example in one statement. Items that arrive while
 * a batch runs go to the next one. A single caller does not wait. With {@link Gathering}, a batch waits for more items if
 * the last ones arrived so quickly that it will soon have them.
 */
export class Batcher<In, Out> {
  private pending: PendingItem<In, Out>[] = [];
  private running = 0;
  private timer: NodeJS.Timeout | undefined;
  /** The duration of the last batches, in milliseconds, of which the latest counts most. */
  private duration = 0;
  /** When the last items arrived, by `performance.now()`. */
  private readonly arrivals: number[] = [];
  private readonly maxBatchSize: number;
  private readonly maxConcurrency: number;

  /** @param runBatch returns the results of a batch, in the order of its items */
  constructor(
    private readonly runBatch: (items: readonly In[]) => Promise<readonly Out[]>,
    private readonly options: BatcherOptions = {},
  ) {
    this.maxBatchSize = options.maxBatchSize ?? 500;
    this.maxConcurrency = options.maxConcurrency ?? 2;
  }

  /** @returns the result of this item. @throws what the batch of the item throws */
  submit(item: In): Promise<Out> {
    return new Promise((resolve, reject) => {
      this.pending.push({ item, resolve, reject });
      this.arrivals.push(performance.now());
      if (this.arrivals.length > MAX_ARRIVALS) this.arrivals.splice(0, MAX_ARRIVALS / 2);
      this.start();
    });
  }

  private start(): void {
    if (this.running >= this.maxConcurrency || this.pending.length === 0) return;
    if (this.isGathering()) {
      this.timer ??= setTimeout(() => this.startNow(), this.gatheringMs);
    } else this.startNow();
  }

  private startNow(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.running < this.maxConcurrency) void this.run();
  }

  /** Whether more items are worth waiting for: there are too few, and the last ones arrived quickly. */
  private isGathering(): boolean {
    const { gathering } = this.options;
    if (!gathering) return false;
    const size = gathering.size();
    if (this.pending.length >= size) return false;
    const earlier = this.arrivals.at(-size);
    return earlier !== undefined && performance.now() - earlier <= this.gatheringMs;
  }

  private get gatheringMs(): number {
    return Math.min((this.options.gathering?.durations ?? 0) * this.duration, MAX_GATHERING_MS);
  }

  /** Never rejects: an error goes to the callers of its batch. */
  private async run(): Promise<void> {
    const batch = this.pending.splice(0, this.maxBatchSize);
    if (batch.length === 0) return;
    this.running++;
    const startedAt = performance.now();
    try {
      const results = await this.runBatch(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, index) => resolve(results[index] as Out));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    this.running--;
    this.duration = 0.7 * this.duration + 0.3 * (performance.now() - startedAt);
    this.start();
  }
}
