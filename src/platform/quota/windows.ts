/** Where the windows of all keys stand. One call counts many hits at once. */
export interface WindowStore {
  /**
   * Adds hits to each key's window of `seconds`, opening one where none runs.
   * @returns per key the hits counted so far and the milliseconds that its window still lasts
   */
  add(hits: ReadonlyMap<string, number>, seconds: number): Promise<ReadonlyMap<string, WindowState>>;
  close(): Promise<void>;
}

export interface WindowState {
  readonly hits: number;
  readonly ends_in_ms: number;
}

interface Waiting {
  readonly key: string;
  resolve(state: WindowState): void;
  reject(error: unknown): void;
}

/**
 * Counts hits across all processes, exactly, at the price of one statement for all requests that arrive while the
 * statement before is under way: a busy token costs no more than a quiet one.
 */
export class CoalescedWindows {
  private waiting: Waiting[] = [];
  private flushing = false;

  constructor(
    private readonly store: WindowStore,
    private readonly seconds: number,
  ) {}

  /** Counts one hit; answers what number it is in its window. */
  hit(key: string): Promise<WindowState> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ key, resolve, reject });
      if (!this.flushing) void this.flush();
    });
  }

  /** Every failure reaches the callers that wait for it; this promise itself never rejects. */
  private async flush(): Promise<void> {
    this.flushing = true;
    while (this.waiting.length > 0) {
      const batch = this.waiting;
      this.waiting = [];
      try {
        settle(batch, await this.store.add(countByKey(batch), this.seconds));
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.flushing = false;
  }
}

function countByKey(batch: readonly Waiting[]): Map<string, number> {
  const hits = new Map<string, number>();
  for (const { key } of batch) hits.set(key, (hits.get(key) ?? 0) + 1);
  return hits;
}

/** The first in the batch was counted first. */
function settle(batch: readonly Waiting[], states: ReadonlyMap<string, WindowState>): void {
  const left = countByKey(batch);
  for (const { key, resolve, reject } of batch) {
    const state = states.get(key);
    const after = (left.get(key) ?? 1) - 1;
    left.set(key, after);
    if (state) resolve({ hits: state.hits - after, ends_in_ms: state.ends_in_ms });
    else reject(new Error('The quota counter gave no answer.'));
  }
}
