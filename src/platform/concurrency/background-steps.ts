import { Injectable } from '@nestjs/common';
import { FairQueue } from './fair-queue.js';

const MAX_STEP_MS = 2;

/**
 * Shares what long work, such as an import, takes from the responses of this process. The long work runs in short steps,
 * one at a time, in rotation between the workspaces. After a step, the next one waits for as long as the step took, so
 * that all steps together take at most half of the time.
 */
@Injectable()
export class BackgroundSteps {
  private readonly queue = new FairQueue({ concurrency: 1 });

  /** Runs one step when it is the turn of the workspace. @returns its result */
  async run<R>(workspaceId: number, step: () => R): Promise<Awaited<R>> {
    const release = await this.queue.acquire(workspaceId);
    const start = performance.now();
    try {
      return await step();
    } finally {
      setTimeout(release, performance.now() - start);
    }
  }

  /**
   * Converts items in steps of about two milliseconds.
   * @param workspaceId the workspace for which the steps run
   * @returns the results of one step after the other
   */
  async *map<T, R>(workspaceId: number, items: readonly T[], convert: (item: T) => R): AsyncGenerator<R[]> {
    const remaining = items.values();
    for (let converted = 0; converted < items.length;) {
      const results = await this.run(workspaceId, () => convertSome(remaining, convert));
      converted += results.length;
      yield results;
    }
  }
}

function convertSome<T, R>(remaining: Iterable<T>, convert: (item: T) => R): R[] {
  const start = performance.now();
  const results: R[] = [];
  for (const item of remaining) {
    results.push(convert(item));
    if (performance.now() - start >= MAX_STEP_MS) break;
  }
  return results;
}
