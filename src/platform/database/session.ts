import type { DataSource } from 'typeorm';
import { FairQueue } from '@outreach/concurrency';
import { FAIR_QUEUES } from '../concurrency/index.js';
import { ALL_WORKSPACES, Connections } from './connections.js';
import type { DelayedCommit } from './delayed-commit.js';
import { KnownSandboxes } from './known-sandboxes.js';
import type { OpenTransaction } from './open-transaction.js';
import type { TimeLimits } from './time-limits.js';
import { WorkspaceClocks } from './workspace-clocks.js';

/** For which workspace statements run, and the open transaction. */
export interface Session {
  readonly connections: Connections;
  readonly searches: FairQueue;
  readonly workspaceId: number;
  readonly limits: TimeLimits;
  /** Cancels the statements. */
  readonly signal?: AbortSignal;
  readonly clocks: WorkspaceClocks;
  readonly sandboxes: KnownSandboxes;
  readonly transaction?: OpenTransaction;
  readonly delayed?: DelayedCommit;
}

/** @returns statements about all workspaces outside of a transaction, without time limits */
export const initialSession = (source: DataSource): Session => ({
  connections: new Connections(source),
  searches: new FairQueue(FAIR_QUEUES.searches),
  workspaceId: ALL_WORKSPACES,
  limits: {},
  clocks: new WorkspaceClocks(),
  sandboxes: new KnownSandboxes(),
});
