import { Injectable } from '@nestjs/common';
import { StatementTimedOut } from '@outreach/database';
import { Statistics } from '../platform/database/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import { FairQueue } from '@outreach/concurrency';
import { FAIR_QUEUES } from '../platform/concurrency/index.js';
import { SegmentTooExpensive } from './segment.errors.js';

/** Limits how much time a workspace's segments take in the database, so that other workspaces are not slowed down. */
@Injectable()
export class SegmentBudget {
  /** The timeout of one statement about a segment. */
  readonly statementTimeoutMs: number = 5000;

  /** The timeout of the statement that counts all segments of a page. It is short because a list shows old counts too. */
  readonly listTimeoutMs: number = 2000;

  /** The timeout of the `ANALYZE` before a statement is repeated. */
  readonly refreshTimeoutMs: number = 2000;

  private readonly queue = new FairQueue(FAIR_QUEUES.segmentStatements);

  constructor(private readonly statistics: Statistics) {}

  /**
   * Runs `work` in a transaction whose statements have this timeout, as soon as the workspace has a free place.
   * @throws StatementTimedOut; Busy if too many calls of the workspace are waiting already
   */
  within<R>(scope: WorkspaceScope, milliseconds: number, work: (tx: WorkspaceScope) => Promise<R>): Promise<R> {
    return this.queue.run(scope.workspace_id, () => scope.transactionWithin(milliseconds, work));
  }

  /**
   * Runs `work` with the timeout of one statement. After a timeout it refreshes the planner's statistics, because they
   * may be out of date right after an import; if they were, `work` runs once more.
   * @throws SegmentTooExpensive, Busy
   */
  async run<R>(scope: WorkspaceScope, work: (tx: WorkspaceScope) => Promise<R>): Promise<R> {
    try {
      return await this.within(scope, this.statementTimeoutMs, work).catch(async (error: unknown) => {
        if (!(error instanceof StatementTimedOut)) throw error;
        const refreshed = await this.statistics.refreshWithin(this.refreshTimeoutMs);
        if (refreshed.length === 0) throw error;
        return this.within(scope, this.statementTimeoutMs, work);
      });
    } catch (error) {
      throw error instanceof StatementTimedOut ? new SegmentTooExpensive() : error;
    }
  }
}
