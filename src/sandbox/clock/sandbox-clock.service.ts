import { setTimeout as pause } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { JobQueue } from '@outreach/job-queue';
import { sql } from '../../platform/database/index.js';
import { ClockWorks } from '../../platform/queue/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { SANDBOX_CLOCKS } from '../queues.js';
import { type Advance, jump, readClock, readPosition, requestAdvance } from './sandbox-clock.queries.js';
import type { ClockState } from './clock.view.js';

/** For how long a request waits until everything is done (API v1, "Sandbox"). */
const MAX_WAIT_MS = 30_000;
const MS_PER_SECOND = 1_000;
/** How often a request checks whether it can put the clock forward itself: others may do so at the same time. */
const MAX_CHECKS = 50;
const [MIN_PAUSE_MS, MAX_PAUSE_MS] = [5, 100];

/** The clock of a sandbox. Workers put it forward; a request only says to when, and waits. */
@Injectable()
export class SandboxClockService implements BeforeApplicationShutdown {
  private readonly stopping = new AbortController();

  constructor(
    private readonly works: ClockWorks,
    private readonly jobQueue: JobQueue,
  ) {}

  beforeApplicationShutdown(): void {
    this.stopping.abort();
  }

  async read(scope: WorkspaceScope): Promise<ClockState> {
    const { target } = await readClock(scope);
    const { now, pending } = await this.works.state(scope);
    return { now, is_settled: target === null && pending.length === 0 };
  }

  /** Waits for the workers until everything is done that becomes due, but not for ever. */
  async advance(scope: WorkspaceScope, advance: Advance): Promise<ClockState> {
    const jumped = await this.jump(scope, advance);
    if (jumped) return jumped;
    await requestAdvance(scope, advance);
    // The workers have to see it while the request waits.
    await scope.commitChunk();
    this.jobQueue.enqueue(SANDBOX_CLOCKS, [{ workspace_id: scope.workspace_id, id: scope.workspace_id }]);
    return this.whenSettled(scope);
  }

  /**
   * Needs no worker if nothing becomes due or expires on the way. Checks it again if another request has put the clock
   * forward meanwhile. A request with an `Idempotency-Key` has one time until it ends, so it leaves that to a worker. The
   * clock of this process is read with the next request.
   */
  private async jump(scope: WorkspaceScope, advance: Advance): Promise<ClockState | undefined> {
    for (let checks = 0; checks < MAX_CHECKS; checks++) {
      const { ahead_ms: aheadMs, is_moving: isMoving, is_known: isKnown } = await readPosition(scope);
      if (isMoving) return undefined;
      if (isKnown) {
        const { now, next, pending } = await this.works.state(scope);
        const to = 'to' in advance ? advance.to : new Date(now.getTime() + advance.seconds * MS_PER_SECOND);
        if (pending.length > 0 || (next && next <= to)) return undefined;
        if ((await this.works.expiredAt(scope, sql`${to}::timestamptz`)).length > 0) return undefined;
        if (await jump(scope, advance, aheadMs)) return { now: to > now ? to : now, is_settled: true };
      }
      await scope.refreshClock();
    }
    return undefined;
  }

  /** A clock may have arrived while something is in progress. Occupies no connection between two reads. */
  private async whenSettled(scope: WorkspaceScope): Promise<ClockState> {
    const until = performance.now() + MAX_WAIT_MS;
    let pauseMs = MIN_PAUSE_MS;
    for (;;) {
      await scope.refreshClock();
      const { now, target } = await readClock(scope);
      const settled = target === null ? await this.read(scope.inCurrentTime()) : undefined;
      if (settled?.is_settled) return settled;
      if (this.stopping.signal.aborted || performance.now() + pauseMs > until) return { now, is_settled: false };
      await pause(pauseMs, undefined, { signal: this.stopping.signal }).catch(() => undefined);
      pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS);
    }
  }
}
