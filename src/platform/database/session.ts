import { LRUCache } from 'lru-cache';
import type { DataSource } from 'typeorm';
import { FairQueue } from '../concurrency/index.js';
import { ALL_WORKSPACES, Connections } from './connections.js';
import type { DelayedCommit } from './delayed-commit.js';
import type { OpenTransaction } from './open-transaction.js';
import type { TimeLimits } from './time-limits.js';
import { WorkspaceClocks } from './workspace-clocks.js';

/** How many searches run at the same time in this process beside other workspaces. One workspace runs three of them. */
const MAX_CONCURRENT_SEARCHES = 4;
const MAX_KNOWN_WORKSPACES = 100_000;

/** For which workspace statements run, and the open transaction. */
export interface Session {
  readonly connections: Connections;
  /** Shares the processors of PostgreSQL, of which each search occupies one. */
  readonly searches: FairQueue;
  readonly workspaceId: number;
  readonly limits: TimeLimits;
  /** Cancels the statements. */
  readonly signal?: AbortSignal;
  readonly clocks: WorkspaceClocks;
  /** Whether workspaces are sandboxes, as far as this process knows. It never changes. */
  readonly sandboxes: LRUCache<number, boolean>;
  readonly transaction?: OpenTransaction;
  readonly delayed?: DelayedCommit;
}

/** @returns statements about all workspaces outside of a transaction, without time limits */
export const initialSession = (source: DataSource): Session => ({
  connections: new Connections(source),
  searches: new FairQueue({ concurrency: MAX_CONCURRENT_SEARCHES }),
  workspaceId: ALL_WORKSPACES,
  limits: {},
  clocks: new WorkspaceClocks(),
  sandboxes: new LRUCache({ max: MAX_KNOWN_WORKSPACES }),
});
