import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, type OnApplicationShutdown, type OnModuleDestroy } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { Log } from '@outreach/logging';
import { DatabaseUnavailable, NodeUnavailable } from '@outreach/database';
import type { ProviderLimit } from '../../email-accounts/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { countMessages } from '../metrics/index.js';
import { limitAccount, type Wait } from '../rules/index.js';
import { postponeUntried } from './message-status.queries.js';
import { RETRY_MINUTES, type SendDecision } from './send-decision.js';
import { SendResults } from './send-results.js';
import type { SendTarget } from './send-target.js';

/** After how many errors that are not an outage a result is given up. Its lease expires then. */
const MAX_ERRORS = 5;

const FIRST_RETRY_MS = 100;
const MAX_RETRY_MS = 5_000;

const unrecorded = new Gauge({
  name: 'outreach_unrecorded_results',
  help: 'Results of sending in the memory of this process that are not in the database yet',
});

/**
 * Stores results in memory until the database has accepted them: no other process
 * knows what a mail server has replied. Each connection to a mail server waits for the result of its message, so there is at
 * most one result per connection.
 */
@Injectable()
export class PendingResults implements OnModuleDestroy, OnApplicationShutdown {
  /** While the database accepts no results, by workspace if only its node is away: resolves when it does. */
  private readonly outages = new Map<number, Promise<unknown>>();
  private recording = 0;

  constructor(
    private readonly results: SendResults,
    private readonly log: Log,
  ) {}

  /** The application stops. If it does not end in time, the process ends without it. */
  onModuleDestroy(): void {
    process.once('exit', this.reportUnrecorded);
  }

  onApplicationShutdown(): void {
    process.off('exit', this.reportUnrecorded);
  }

  /** Writes the decision about one message. @throws Error after five errors that are not an outage of the database */
  async record(scope: WorkspaceScope, message: SendTarget, decision: SendDecision): Promise<void> {
    unrecorded.set(++this.recording);
    try {
      await this.untilAccepted(scope, () => this.results.record(scope, message, decision));
      this.logFailure(message, decision);
    } finally {
      unrecorded.set(--this.recording);
    }
  }

  /** Puts messages that were not sent back into the queue. @throws Error like {@link record} */
  requeue(scope: WorkspaceScope, ids: readonly number[], wait?: Wait): Promise<void> {
    return this.untilAccepted(scope, () => this.results.requeue(scope, ids, wait));
  }

  /**
   * The provider of an account cannot be used: what is due waits. It was not tried, so no attempt counts.
   * @param minutes for how long those that were tried wait
   * @throws Error like {@link record}
   */
  recordUnreachable(scope: WorkspaceScope, accountId: number, minutes: number = RETRY_MINUTES[0]): Promise<void> {
    return this.untilAccepted(scope, async () =>
      countMessages('postponed', await postponeUntried(scope, accountId, minutes)),
    );
  }

  /**
   * The account has reached a limit of its provider: what is due waits until it is probably over. @throws Error like {@link
   * record}
   */
  recordLimit(scope: WorkspaceScope, accountId: number, limit: ProviderLimit): Promise<void> {
    return this.untilAccepted(scope, () => limitAccount(scope, accountId, limit));
  }

  /** Resolves when the database accepts results. Nothing is claimed before, because its result could not be recorded. */
  async available(scope: WorkspaceScope): Promise<void> {
    for (;;) {
      const outage = this.outages.get(ALL_WORKSPACES) ?? this.outages.get(scope.workspace_id);
      if (!outage) return;
      await outage;
    }
  }

  /** Why a server did not accept a message. Its own words may contain an address: only their code is logged. */
  private logFailure({ id, email_account_id: accountId }: SendTarget, decision: SendDecision): void {
    const ids = { message_id: id, email_account_id: accountId };
    if (decision.kind === 'later') {
      const { bounce, minutes } = decision;
      const why = bounce.code === null ? { reason: bounce.message } : { code: bounce.code };
      this.log.info('a message waits for its next attempt', { ...ids, ...why, after_minutes: minutes });
    }
    if (decision.kind === 'limited') this.log.info('a message waits for a limit of its provider', ids);
    if (decision.kind === 'failed' || decision.kind === 'bounced') {
      const { code, type } = decision.bounce;
      this.log.info('a message was refused', { ...ids, code, type });
    }
  }

  private readonly reportUnrecorded = (): void => {
    if (this.recording === 0) return;
    process.exitCode = 1;
    process.stderr.write(
      `The process ends, and the database has not recorded the results of ${this.recording} messages. ` +
        'The mail servers may have accepted them: the setting on_unknown of their campaigns decides.\n',
    );
  };

  private async untilAccepted(scope: WorkspaceScope, write: () => Promise<void>): Promise<void> {
    for (let errors = 0; ;) {
      await this.available(scope);
      try {
        return await write();
      } catch (error) {
        const outage = outageOf(scope, error);
        if (outage === undefined && ++errors === MAX_ERRORS) throw error;
        if (outage !== undefined && !this.outages.has(outage) && (await this.endOutage(scope, write, error))) return;
      }
      await pause(retryDelay(errors + 1));
    }
  }

  /**
   * Tries one result again until the database accepts it. So an outage causes few attempts, however many wait.
   * @returns false if this outage has ended with another one, of all workspaces or of this one alone
   */
  private async endOutage(scope: WorkspaceScope, write: () => Promise<void>, cause: unknown): Promise<boolean> {
    const outage = outageOf(scope, cause) ?? ALL_WORKSPACES;
    const where = outage === ALL_WORKSPACES ? {} : { workspace_id: outage };
    this.log.warn('the database does not accept results; nothing is sent until it does', { error: cause, ...where });
    const since = performance.now();
    const ended = this.repeat(scope, write, outage).finally(() => {
      this.outages.delete(outage);
      this.log.warn('the database accepts results again', {
        unrecorded: this.recording,
        after_ms: Math.round(performance.now() - since),
        ...where,
      });
    });
    this.outages.set(
      outage,
      ended.catch(() => undefined),
    );
    return ended;
  }

  private async repeat(scope: WorkspaceScope, write: () => Promise<void>, outage: number): Promise<boolean> {
    for (let attempt = 1, errors = 0; ; attempt++) {
      await pause(retryDelay(attempt));
      try {
        await write();
        return true;
      } catch (error) {
        const current = outageOf(scope, error);
        if (current === undefined && ++errors === MAX_ERRORS) throw error;
        if (current !== undefined && current !== outage) return false;
      }
    }
  }
}

/** IDs begin at 1. */
const ALL_WORKSPACES = 0;

/** @returns the key of the outage that an error is about; undefined if it is about none */
function outageOf(scope: WorkspaceScope, error: unknown): number | undefined {
  if (error instanceof NodeUnavailable) return scope.workspace_id;
  return error instanceof DatabaseUnavailable ? ALL_WORKSPACES : undefined;
}

/** Returns between half and all of a doubling pause, so that the workers do not return at the same time. */
function retryDelay(attempt: number): number {
  const longest = Math.min(FIRST_RETRY_MS * 2 ** (attempt - 1), MAX_RETRY_MS);
  return longest * (0.5 + Math.random() / 2);
}
