import { WORKER } from '@outreach/job-queue';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { releaseAccount } from '../account-leases.queries.js';
import { messagesClaimed } from '../metrics/index.js';
import type { PendingResults } from '../results/index.js';
import { batchFor, MAX_BATCH } from './batch-size.js';
import type { ClaimedMessage } from './claim.queries.js';
import { PIPELINE } from '../pipeline.js';
import type { MessageLeases } from './leases.cross-tenant.js';

export interface ClaimContext {
  readonly scope: WorkspaceScope;
  readonly account_id: number;
  readonly results: Pick<PendingResults, 'available' | 'requeue'>;
  readonly leases: Pick<MessageLeases, 'acquire' | 'release'>;
}

const STATEMENTS = { claim: PIPELINE.claim, releaseAccount };

/** The messages that a run has claimed and has not begun to send. Its claims lease the account. */
export class RunClaims {
  private readonly waiting: ClaimedMessage[] = [];
  private claiming: Promise<void> | undefined;
  private hasLease = false;
  total = 0;
  /** How many messages a claim has at most, by the size of those before. */
  maxSize = MAX_BATCH;
  /** Whether the last claim has found nothing: the run claims no more. */
  areOver = false;
  /** Whether a message of the account was due when the run released it. */
  isMoreDue = false;
  /** Whether there were other workers at the last claim, one of which may send next. */
  hasOtherWorkers = false;

  constructor(
    private readonly context: ClaimContext,
    private readonly statements = STATEMENTS,
  ) {}

  get size(): number {
    return this.waiting.length;
  }

  take(): ClaimedMessage | undefined {
    return this.waiting.shift();
  }

  /** Claims more messages, or waits for the claim in progress. */
  async add(size: number): Promise<void> {
    await (this.claiming ??= this.claimMore(size));
  }

  /** Claims more messages without waiting for them. The next call of {@link add} that waits for it gets its error. */
  addInAdvance(size: number): void {
    this.claiming ??= this.claimMore(size);
    this.claiming.catch(() => undefined);
  }

  private async claimMore(size: number): Promise<void> {
    const { scope, account_id: accountId, results, leases } = this.context;
    try {
      await results.available(scope);
      const claimed = await this.statements.claim(scope, accountId, WORKER, size);
      if (claimed.kind === 'none') {
        this.areOver = true;
        return;
      }
      this.hasLease = true;
      this.hasOtherWorkers = !claimed.is_only_worker;
      this.total += claimed.messages.length;
      messagesClaimed.inc(claimed.messages.length);
      this.waiting.push(...claimed.messages);
      this.maxSize = batchFor(claimed.messages);
      for (const { id } of claimed.messages) leases.acquire(id);
    } finally {
      this.claiming = undefined;
    }
  }

  /** Puts what waits here back into the queue, and ends the lease of the account. */
  async release(): Promise<void> {
    const { scope, account_id: accountId, results, leases } = this.context;
    const unsent = this.waiting.splice(0).map(({ id }) => id);
    try {
      if (unsent.length > 0) await results.requeue(scope, unsent);
    } finally {
      for (const id of unsent) leases.release(id);
    }
    if (!this.hasLease) return;
    this.hasLease = false;
    this.isMoreDue = await this.statements.releaseAccount(scope, accountId, WORKER);
  }

  /** Like {@link release}, after the claim in progress. */
  async end(): Promise<void> {
    await this.claiming?.catch(() => undefined);
    await this.release();
  }
}
