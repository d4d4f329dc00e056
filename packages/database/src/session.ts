import { FairQueue, type FairQueueLimits } from '@outreach/concurrency';
import type { DataSource } from 'typeorm';
import { ALL_TENANTS, Connections, type ConnectionWatch } from './connections.js';
import type { DelayedCommit } from './delayed-commit.js';
import type { OpenTransaction } from './open-transaction.js';
import type { TimeLimits } from './time-limits.js';

/** For which tenant statements run, and the open transaction. */
export interface Session {
  readonly connections: Connections;
  readonly searches: FairQueue;
  readonly tenantId: number;
  readonly limits: TimeLimits;
  /** Cancels the statements. */
  readonly signal?: AbortSignal;
  readonly transaction?: OpenTransaction;
  readonly delayed?: DelayedCommit;
}

/**
 * @param searches how many searches of all tenants run at the same time
 * @returns statements about all tenants outside of a transaction, without time limits
 */
export const initialSession = (source: DataSource, searches: FairQueueLimits, watch?: ConnectionWatch): Session => ({
  connections: new Connections(source, watch),
  searches: new FairQueue(searches),
  tenantId: ALL_TENANTS,
  limits: {},
});
