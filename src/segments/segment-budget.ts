import { Injectable } from '@nestjs/common';
import { StatementTimedOut, Statistics } from '../platform/database/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import { KeyedSemaphore } from '../platform/concurrency/index.js';
import { SegmentTooExpensive } from './segment.errors.js';

/** The longest that one statement about a segment may keep the database busy. */
export const MAX_STATEMENT_MS = 5000;

/** The longest that bringing the planner up to date may take. */
const REFRESH_TIMEOUT_MS = 2000;

/** Statements about segments that one workspace runs at a time in one process, and those that may wait for them. */
const MAX_CONCURRENT = 3;
const MAX_WAITING = 30;

/** What finding contacts by conditions may cost, so that no workspace keeps the database from the others. */
@Injectable()
export class SegmentBudget {
  private readonly semaphore = new KeyedSemaphore<number>(MAX_CONCURRENT, MAX_WAITING);

  constructor(private readonly statistics: Statistics) {}

  /**
   * Runs `work` in a transaction, when the workspace has its turn.
   * @throws StatementTimedOut; TooManyRequests when too much of the workspace waits already
   */
  within<R>(scope: WorkspaceScope, milliseconds: number, work: (tx: WorkspaceScope) => Promise<R>): Promise<R> {
    return this.semaphore.run(scope.workspace_id, () => scope.transactionWithin(milliseconds, work));
  }

  /**
   * The same for what cannot be answered otherwise. Right after an import the planner may not know yet how many contacts
   * there are; then it is told, and the work has a second go.
   * @throws SegmentTooExpensive, TooManyRequests
   */
  async spend<R>(scope: WorkspaceScope, work: (tx: WorkspaceScope) => Promise<R>): Promise<R> {
    try {
      return await this.within(scope, MAX_STATEMENT_MS, work).catch(async (error: unknown) => {
        if (
          !(error instanceof StatementTimedOut) ||
          (await this.statistics.refreshWithin(REFRESH_TIMEOUT_MS)).length === 0
        )
          throw error;
        return this.within(scope, MAX_STATEMENT_MS, work);
      });
    } catch (error) {
      throw error instanceof StatementTimedOut ? new SegmentTooExpensive() : error;
    }
  }
}
