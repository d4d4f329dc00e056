import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '../../platform/logging/index.js';
import type { ClockWorks, ClockWorkState, DueWorkPoller } from '../../platform/queue/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { finishAdvance, leaseClock, moveClock, releaseClock } from './sandbox-clock.queries.js';

/** For how long a run puts a clock forward before other workspaces have a turn. */
const RUN_MS = 5_000;
/** How long it waits for work in progress before it looks again. */
const [MIN_PAUSE_MS, MAX_PAUSE_MS] = [5, 100];
/** After this time, work that stays pending does not stop the clock any more. */
const STUCK_MS = 60_000;
/**
 * What becomes due within this time is done together, as polls find due work every second. On the way to a distant target it
 * is longer, so that hundreds of messages a few seconds apart take tens of steps.
 */
const [MIN_STEP_MS, MAX_STEP_MS] = [1_000, 10_000];
const STEPS = 2_000;

/** What a run needs. */
export interface ClockRunDependencies {
  readonly works: ClockWorks;
  readonly poller: DueWorkPoller;
  readonly log: Log;
}

/**
 * Puts the clock of one sandbox forward for a limited time, from one instant at which something becomes due to the next. At
 * each it does what is due, and waits until nothing is in progress. Between two looks at the tables it holds no connection.
 */
export class ClockRun {
  /** Only work that may stay was pending when it was done last. */
  private wasDoneAlone = false;
  private settlingSince = performance.now();
  private pauseMs = MIN_PAUSE_MS;

  constructor(
    private readonly scope: WorkspaceScope,
    private readonly dependencies: ClockRunDependencies,
    private readonly stopping: AbortSignal,
  ) {}

  /** @returns `done` when the clock is where it should be, or another worker puts it forward */
  async run(): Promise<'done' | 'more'> {
    const until = performance.now() + RUN_MS;
    try {
      while (!this.stopping.aborted && performance.now() < until) {
        const leased = await leaseClock(this.scope);
        if (!leased) return 'done';
        const state = await this.dependencies.works.state(this.scope);
        if (!this.isSettled(state)) await this.settle(state);
        else if (await this.step(state, leased.target)) return 'done';
      }
      return 'more';
    } finally {
      await releaseClock(this.scope);
    }
  }

  private isSettled({ now, pending }: ClockWorkState): boolean {
    if (pending.length === 0) return true;
    if (this.wasDoneAlone && pending.every(({ mayStay }) => mayStay)) return true;
    if (performance.now() - this.settlingSince < STUCK_MS) return false;
    this.dependencies.log.warn('work of a sandbox stays due, and its clock goes on', { now });
    return true;
  }

  /** Does what is due now. */
  private async settle({ pending }: ClockWorkState): Promise<void> {
    const { poller } = this.dependencies;
    const [found] = await Promise.all([poller.runDue(this.scope.inTime), ...pending.map((work) => work.run?.())]);
    this.wasDoneAlone = pending.every(({ mayStay }) => mayStay);
    if (found > 0) this.pauseMs = MIN_PAUSE_MS;
    else await this.wait();
  }

  /** Something is in progress, perhaps in another process. */
  private async wait(): Promise<void> {
    await pause(this.pauseMs, undefined, { signal: this.stopping }).catch(() => undefined);
    this.pauseMs = Math.min(2 * this.pauseMs, MAX_PAUSE_MS);
  }

  /** Nothing is due now: goes to the next instant. @returns whether the clock is where it should be */
  private async step({ now, next }: ClockWorkState, target: Date): Promise<boolean> {
    if (now >= target) return finishAdvance(this.scope);
    const left = target.getTime() - now.getTime();
    const stepMs = Math.min(Math.max(left / STEPS, MIN_STEP_MS), MAX_STEP_MS);
    const byMs = next ? Math.min(next.getTime() + stepMs - now.getTime(), left) : left;
    await moveClock(this.scope, byMs);
    await this.scope.refreshClock();
    this.wasDoneAlone = false;
    this.settlingSince = performance.now();
    return false;
  }
}
