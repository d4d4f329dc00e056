interface Waiting<In, Out> {
  readonly item: In;
  readonly resolve: (out: Out) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Gathers what many callers want from the database into one statement: while a batch is under way the next one fills.
 * One caller alone waits for nothing.
 */
export class Coalescer<In, Out> {
  private waiting: Waiting<In, Out>[] = [];
  private running = 0;

  /**
   * @param work answers a batch in its order
   * @param most items in a batch
   * @param parallel batches at a time
   */
  constructor(
    private readonly work: (items: readonly In[]) => Promise<readonly Out[]>,
    private readonly most = 500,
    private readonly parallel = 2,
  ) {}

  submit(item: In): Promise<Out> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      if (this.running < this.parallel) void this.run();
    });
  }

  /** Every failure reaches the callers of its batch; this promise itself never rejects. */
  private async run(): Promise<void> {
    this.running++;
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0, this.most);
      try {
        const answers = await this.work(batch.map(({ item }) => item));
        batch.forEach(({ resolve }, index) => resolve(answers[index] as Out));
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.running--;
  }
}
