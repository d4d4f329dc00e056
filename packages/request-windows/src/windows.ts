import { Batcher } from '@outreach/concurrency';

/** Stores the windows of all keys. One call counts many requests. */
export interface WindowStore {
  /**
   * Adds requests to the window of each key, which starts a new one of `seconds` if it has none.
   * @returns for each key the requests in its window and the milliseconds until the window ends
   */
  add(requests: ReadonlyMap<string, number>, seconds: number): Promise<ReadonlyMap<string, WindowState>>;
  close(): Promise<void>;
}

/** The requests in a window, and the time until it ends. */
export interface WindowState {
  readonly requests: number;
  readonly ends_in_ms: number;
}

/** The keys that are counted in the same tick, and the states of their windows in this order. */
interface Tick {
  readonly keys: string[];
  readonly states: Promise<WindowState[]>;
}

/**
 * Counts requests exactly, across all processes. The requests that arrive while a statement runs are counted by the
 * next one, so a busy key does not cost more statements than a quiet one.
 */
export class BatchedWindows {
  private readonly batcher: Batcher<readonly string[], WindowState[]>;
  private tick: Tick | undefined;

  constructor(store: WindowStore, seconds: number) {
    // One batch at a time, because two would wait for each other's row locks.
    this.batcher = new Batcher(
      async (requests) => {
        const keys = requests.flat();
        const states = numbered(keys, await store.add(countByKey(keys), seconds));
        return requests.map(({ length }) => states.splice(0, length));
      },
      { maxConcurrency: 1 },
    );
  }

  /**
   * Counts one request in the window of a key. The calls of one tick are in the same batch.
   * @returns its number in the window, and the rest of the window
   */
  async count(key: string): Promise<WindowState> {
    this.tick ??= this.startTick();
    const { keys, states } = this.tick;
    const index = keys.push(key) - 1;
    const state = (await states)[index];
    if (!state) throw new Error('A request was not counted.');
    return state;
  }

  private startTick(): Tick {
    const keys: string[] = [];
    const states = Promise.resolve().then(() => {
      this.tick = undefined;
      return this.batcher.submit(keys);
    });
    return { keys, states };
  }
}

function countByKey(keys: readonly string[]): Map<string, number> {
  const requests = new Map<string, number>();
  for (const key of keys) requests.set(key, (requests.get(key) ?? 0) + 1);
  return requests;
}

/** @returns the window of each request of a batch, in which the first was counted first */
function numbered(keys: readonly string[], states: ReadonlyMap<string, WindowState>): WindowState[] {
  const remaining = countByKey(keys);
  return keys.map((key) => {
    const state = states.get(key);
    if (!state) throw new Error('The store returned no window for a key.');
    const after = (remaining.get(key) ?? 1) - 1;
    remaining.set(key, after);
    return { requests: state.requests - after, ends_in_ms: state.ends_in_ms };
  });
}
