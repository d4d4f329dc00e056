import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '@outreach/logging';
import type { DueWorkPoller } from '@outreach/job-queue';
import type { ClockWork, ClockWorks, ClockWorkState } from '../../platform/queue/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { ClockWaits } from './clock-waits.js';
import { finishAdvance, leaseClock, type LeasedClock, moveClock, releaseClock } from './sandbox-clock.queries.js';

/** For how long a run puts a clock forward before other workspaces have a turn. */
const RUN_MS = 5_000;
/** How long it waits for work in progress before it looks again. */
const [MIN_PAUSE_MS, MAX_PAUSE_MS] = [5, 100];
/** How long it waits for what it does itself before it looks again. */
const POLL_MS = 100;
/** After this time without progress, work that waits for the clock does not stop it. */
const IDLE_MS = 500;
/**
 * What becomes due within this time is done together, as polls find due work every second. On the way to a distant target it
 * is longer, so that hundreds of messages a few seconds apart take tens of steps.
 */
const [MIN_STEP_MS, MAX_STEP_MS] = [1_000, 10_000];
const STEPS = 2_000;

export interface ClockRunDependencies {
  readonly works: ClockWorks;
  readonly poller: DueWorkPoller;
  readonly waits: ClockWaits;
  readonly log: Log;
}

/**
 * Puts the clock of one sandbox forward for a limited time, from one instant at which something becomes due to the next. At
 * each it does what is due, and waits until nothing is in progress. Between two looks at the tables it holds no connection.
 */
export class ClockRun {
  /** Only work that may stay was pending when it was done last. */
  private wasDoneAlone = false;
  private pauseMs = MIN_PAUSE_MS;
  private steps = 0;
  private progress: { readonly of: string | undefined; readonly since: number } = { of: undefined, since: 0 };

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
        if (!leased || (await this.advance(leased))) return this.end();
      }
      return 'more';
    } finally {
      await releaseClock(this.scope);
    }
  }

  /** Does what is due, or goes to the next instant. @returns whether the clock is where it should be */
  private async advance(leased: LeasedClock): Promise<boolean> {
    const state = await this.dependencies.works.state(this.scope);
    if (this.isSettled(state, leased)) return this.step(state, leased);
    await this.settle(state);
    return false;
  }

  private end(): 'done' {
    this.dependencies.waits.end(this.scope.workspace_id);
    return 'done';
  }

  private isSettled({ now, pending, progress }: ClockWorkState, leased: LeasedClock): boolean {
    const isStuck = this.isStuck(leased);
    const isIdle = this.isIdle(progress);
    if (pending.length === 0) return true;
    if (pending.every(({ mayStay }) => mayStay) && (this.wasDoneAlone || isIdle)) return true;
    if (isStuck) this.dependencies.log.warn('work of a sandbox stays due, and its clock goes on', { now });
    return isStuck;
  }

  private isStuck({ ahead_ms: aheadMs }: LeasedClock): boolean {
    return this.dependencies.waits.isStuck(this.scope.workspace_id, aheadMs);
  }

  /** Workers wait for the clock: of work whose progress is known, nothing has happened for a moment. */
  private isIdle(progress: string | undefined): boolean {
    const now = performance.now();
    if (progress === undefined || progress !== this.progress.of) this.progress = { of: progress, since: now };
    return progress !== undefined && now - this.progress.since >= IDLE_MS;
  }

  /** Does what is due now. Looks again when it is done, or after a while, because it may wait for the clock. */
  private async settle({ pending }: ClockWorkState): Promise<void> {
    const work = this.work(pending).catch((error: unknown) => {
      this.dependencies.log.error('what is due in a sandbox failed', { error });
      return this.wait();
    });
    await Promise.race([work, pause(POLL_MS, undefined, { signal: this.stopping }).catch(() => undefined)]);
  }

  private async work(pending: readonly ClockWork[]): Promise<void> {
    const { poller, waits } = this.dependencies;
    const { steps } = this;
    const [done] = await Promise.all([poller.runDue(this.scope.inTime), ...pending.map((work) => work.run?.())]);
    this.wasDoneAlone = steps === this.steps && pending.every(({ mayStay }) => mayStay);
    if (done === 0) return this.wait();
    waits.noteProgress(this.scope.workspace_id);
    this.pauseMs = MIN_PAUSE_MS;
  }

  /** Something is in progress, perhaps in another process. */
  private async wait(): Promise<void> {
    await pause(this.pauseMs, undefined, { signal: this.stopping }).catch(() => undefined);
    this.pauseMs = Math.min(2 * this.pauseMs, MAX_PAUSE_MS);
  }

  /** Nothing is due now: goes to the next instant. @returns whether the clock is where it should be */
  private async step({ now, next }: ClockWorkState, leased: LeasedClock): Promise<boolean> {
    const { target } = leased;
    if (now >= target) return !(await this.deleteExpired(leased)) && finishAdvance(this.scope);
    const left = target.getTime() - now.getTime();
    const stepMs = Math.min(Math.max(left / STEPS, MIN_STEP_MS), MAX_STEP_MS);
    const byMs = next ? Math.min(next.getTime() + stepMs - now.getTime(), left) : left;
    await moveClock(this.scope, byMs);
    await this.scope.refreshClock();
    this.steps += 1;
    this.wasDoneAlone = false;
    return false;
  }

  /** @returns whether there may be more of it */
  private async deleteExpired(leased: LeasedClock): Promise<boolean> {
    const expired = await this.dependencies.works.expiredAt(this.scope, this.scope.now);
    await Promise.all(expired.map((retention) => retention.delete()));
    return expired.length > 0 && !this.isStuck(leased);
  }
}
