import { Batcher } from '../database/index.js';

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

/**
 * Counts hits across all processes, exactly, at the price of one statement for all requests that arrive while the
 * statement before is under way: a busy token costs no more than a quiet one.
 */
export class BatchedWindows {
  private readonly hits: Batcher<string, WindowState>;

  constructor(store: WindowStore, seconds: number) {
    // One batch at a time: two would lock each other's rows.
    this.hits = new Batcher(async (keys) => numbered(keys, await store.add(countByKey(keys), seconds)), 1000, 1);
  }

  /** Counts one hit; answers what number it is in its window. */
  hit(key: string): Promise<WindowState> {
    return this.hits.submit(key);
  }
}

function countByKey(keys: readonly string[]): Map<string, number> {
  const hits = new Map<string, number>();
  for (const key of keys) hits.set(key, (hits.get(key) ?? 0) + 1);
  return hits;
}

/** The window of each hit of a batch: the first in the batch was counted first. */
function numbered(keys: readonly string[], states: ReadonlyMap<string, WindowState>): WindowState[] {
  const remaining = countByKey(keys);
  return keys.map((key) => {
    const state = states.get(key);
    if (!state) throw new Error('The quota counter gave no answer.');
    const after = (remaining.get(key) ?? 1) - 1;
    remaining.set(key, after);
    return { hits: state.hits - after, ends_in_ms: state.ends_in_ms };
  });
}
