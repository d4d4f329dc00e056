import { decideUntaken, NO_WAIT, type Wait } from '../results/index.js';
import type { RunContext, RunDependencies, RunOptions } from './run-context.js';
import type { ClaimedMessage } from './claim.queries.js';
import type { RunEnd } from './run-end.js';
import type { RunProgress } from './run-progress.js';

/** The message is due now, and was not tried, even if the preflight check has counted an attempt. */
export const UNTRIED: Wait = { ...NO_WAIT, refundsAttempt: true };

export interface SettlementOptions extends RunOptions {
  /** Returns how many connections of other runs on the account are in use. */
  readonly othersInUse: () => number;
}

/**
 * Settles a run, and its messages for which the provider could not be used. It was an attempt only if the provider served
 * no other message of the account meanwhile. Otherwise they are due as before, and the next run opens fewer sessions.
 */
export class RunSettlement {
  private readonly begun = performance.now();
  private known: RunEnd['kind'] | undefined;

  constructor(
    private readonly context: RunContext,
    private readonly progress: RunProgress,
    private readonly parts: RunDependencies,
    private readonly options: SettlementOptions,
  ) {}

  /** Settles the run, which returns now. */
  async atReturn(): Promise<RunEnd> {
    this.progress.note('return');
    const end = await this.settle();
    this.known = end.kind;
    return end;
  }

  /** Settles what has become known since the run has returned. */
  async late(): Promise<void> {
    const end = await this.settle();
    if (end.kind === 'done' || end.kind === 'more' || end.kind === this.known) return;
    this.known = end.kind;
    await this.options.settleLate(end);
  }

  private async settle(): Promise<RunEnd> {
    const end = this.progress.end(this.isServed);
    if (this.isServed || this.progress.pending > 0) this.noteSessions();
    if (end.kind === 'unavailable') this.parts.servers.forgetSessions(this.context);
    const isKnown = this.isServed || this.progress.pending === 0;
    return isKnown || (end.kind !== 'done' && end.kind !== 'more') ? this.settleFailed(end) : end;
  }

  /** Whether the provider has served the account since the run began, or may do so: another run waits for it. */
  private get isServed(): boolean {
    const isServed = this.progress.hasServed || this.parts.servers.hasServedSince(this.context, this.begun);
    return isServed || this.options.othersInUse() > 0;
  }

  /** The server takes those sessions that it has not refused. */
  private noteSessions(): void {
    const { maxConnections, otherConnections } = this.options;
    const { refusedSessions: refused } = this.progress;
    const taken = maxConnections + otherConnections - refused;
    if (refused > 0 && taken > 0) this.parts.servers.noteSessions(this.context, taken);
  }

  private async settleFailed(end: RunEnd): Promise<RunEnd> {
    const { results, leases } = this.parts;
    const messages = this.progress.takeFailed().map(({ message }) => message);
    const ids = messages.map(({ id }) => id);
    try {
      if (end.kind === 'unavailable') return { ...end, minutes: await this.recordUntaken(messages, end.error.message) };
      if (ids.length > 0) await results.requeue(this.context.scope, ids, UNTRIED);
      return end;
    } finally {
      for (const id of ids) leases.release(id);
    }
  }

  /** @returns after how many minutes the next attempt of the last one follows; undefined if none does */
  private async recordUntaken(messages: readonly ClaimedMessage[], reason: string): Promise<number | undefined> {
    const recorded = await Promise.allSettled(
      messages.map(async (message) => {
        const decision = decideUntaken(reason, message.attempts + 1);
        await this.parts.pipeline.record(this.context, message, decision);
        return decision.minutes ?? 0;
      }),
    );
    // One that cannot be recorded leaves no other unrecorded.
    const minutes = recorded.map((each) => {
      if (each.status === 'rejected') throw each.reason;
      return each.value;
    });
    return Math.max(0, ...minutes) || undefined;
  }
}
