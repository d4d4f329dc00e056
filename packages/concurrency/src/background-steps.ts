import { FairQueue } from './fair-queue.js';
import type { KeyActivity } from './key-activity.js';

const MAX_STEP_MS = 2;

/** A client that sends its requests one after the other is between two of them for less than this time. */
const RECENT_MS = 100;

/**
 * Shares what long work, such as an import, takes from the responses of this process. The long work runs in short steps,
 * one at a time, in rotation between the keys, such as customers. If the process works for another key, too, the next step
 * waits for as long as the last one took, so that all steps together take at most half of the time. Otherwise it waits
 * only until the event loop has handled what is ready.
 */
export class BackgroundSteps {
  private readonly queue = new FairQueue({ concurrency: 1 });

  constructor(private readonly activity: KeyActivity) {}

  /** Runs one step when it is the turn of its key. @returns its result */
  async run<R>(key: number, step: () => R): Promise<Awaited<R>> {
    const release = await this.queue.acquire(key);
    const start = performance.now();
    try {
      return await step();
    } finally {
      if (this.activity.hasOthers(key, RECENT_MS)) setTimeout(release, performance.now() - start);
      else setImmediate(release);
    }
  }

  /**
   * Runs work in steps of about two milliseconds.
   * @param work can be interrupted at each `yield`
   * @returns its result
   */
  async finish<R>(key: number, work: Generator<undefined, R>): Promise<R> {
    for (;;) {
      const step = await this.run(key, () => runSome(work));
      if (step.done) return step.value;
    }
  }

  /**
   * Converts items in steps of about two milliseconds.
   * @param key for which the steps run
   * @returns the results of one step after the other
   */
  async *map<T, R>(key: number, items: readonly T[], convert: (item: T) => R): AsyncGenerator<R[]> {
    const remaining = items.values();
    for (let converted = 0; converted < items.length;) {
      const results = await this.run(key, () => convertSome(remaining, convert));
      converted += results.length;
      yield results;
    }
  }
}

/** Runs work until it ends, or for about two milliseconds. */
export function runSome<R>(work: Generator<undefined, R>): IteratorResult<undefined, R> {
  const start = performance.now();
  for (;;) {
    const step = work.next();
    if (step.done || performance.now() - start >= MAX_STEP_MS) return step;
  }
}

/** Converts the next of the remaining items, at least one, for about two milliseconds. */
export function convertSome<T, R>(remaining: Iterable<T>, convert: (item: T) => R): R[] {
  const start = performance.now();
  const results: R[] = [];
  for (const item of remaining) {
    results.push(convert(item));
    if (performance.now() - start >= MAX_STEP_MS) break;
  }
  return results;
}
