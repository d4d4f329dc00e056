import { SharedTransactions, type SharedWork, type TransactionRunner } from '@outreach/shared-transactions';
import { DatabaseUnavailable, isLockTimeout, NodeUnavailable } from '@outreach/database';
import { WorkspaceScope } from './workspace-scope.js';

/** What many callers want to be done to one record each, in few transactions. */
export type GroupedWork<In, Out> = SharedWork<WorkspaceScope, In, Out>;

const RUNNER: TransactionRunner<WorkspaceScope> = {
  keyOf: (scope) => scope.workspace_id,
  runIn: (scope, work) => scope.transaction(work),
  runInAll: (scopes, lockMs, work) => WorkspaceScope.transactionOfAll(scopes, { lockMs }, work),
  isUnavailable: (error) => error instanceof DatabaseUnavailable,
  isOfOneKey: (error) => isLockTimeout(error) || error instanceof NodeUnavailable,
};

/** Processes the items of all workspaces in shared transactions. Each workspace has its statements in its own scope. */
export class GroupCommit extends SharedTransactions<WorkspaceScope> {
  /** @param enough returns for how many items a transaction waits, if they arrive soon */
  constructor(enough: () => number) {
    super(RUNNER, enough);
  }
}
