import type { Mailbox } from '../../email-accounts/index.js';
import type { PendingResults, SendTransactions } from '../results/index.js';
import type { ServerExperience, Transports } from '../transports/index.js';
import type { MessageLeases } from './message-leases.js';
import type { MessagePipeline, SendContext } from '../pipeline.js';
import type { RunClaims } from './run-claims.js';
import type { RunEnd } from './run-end.js';
import type { SlowSends } from './slow-sends.js';

/** The parts of the service that a run uses. */
export interface RunParts {
  readonly pipeline: Pick<MessagePipeline, 'send' | 'record'>;
  readonly results: Pick<PendingResults, 'requeue'>;
  readonly leases: Pick<MessageLeases, 'release'>;
  readonly transports: Pick<Transports, 'acquire' | 'closeIdle' | 'release'>;
  readonly slowSends: Pick<SlowSends, 'add' | 'connections'>;
  readonly servers: ServerExperience;
  readonly transactions: Pick<SendTransactions, 'whileBusy'>;
}

/** The account that a run sends from, and its claims. */
export interface RunContext extends SendContext {
  readonly mailbox: Mailbox;
  readonly claims: RunClaims;
}

/** What the process that sends decides for a run. */
export interface RunOptions {
  /** How many connections it opens at most. */
  readonly maxConnections: number;
  /** How many connections of earlier runs are in use. */
  readonly otherConnections: number;
  readonly stopping: AbortSignal;
  /** Acts on the end of a run that became known after it had returned. */
  readonly settleLate: (end: RunEnd) => Promise<unknown>;
}
