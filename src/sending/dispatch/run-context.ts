import { Injectable } from '@nestjs/common';
import type { Log } from '@outreach/logging';
import type { Mailbox } from '../../email-accounts/index.js';
import { MessagePipeline, type SendContext } from '../pipeline.js';
import { PendingResults, SendTransactions } from '../results/index.js';
import { type ServerExperience, Transports } from '../transports/index.js';
import { MessageLeases } from './leases.cross-tenant.js';
import type { RunClaims } from './run-claims.js';
import type { RunEnd } from './run-end.js';
import { SlowSends } from './slow-sends.js';

/** What the runs of all accounts share. */
@Injectable()
export class RunDependencies {
  constructor(
    readonly pipeline: MessagePipeline,
    readonly results: PendingResults,
    readonly leases: MessageLeases,
    readonly transports: Transports,
    readonly slowSends: SlowSends,
    readonly transactions: SendTransactions,
  ) {}

  get servers(): ServerExperience {
    return this.transports.servers;
  }
}

/** The account that a run sends from, and its claims. */
export interface RunContext extends SendContext {
  readonly mailbox: Mailbox;
  readonly claims: RunClaims;
}

export interface RunOptions {
  /** How many connections it opens at most. */
  readonly maxConnections: number;
  /** How many connections of earlier runs are in use. */
  readonly otherConnections: number;
  readonly stopping: AbortSignal;
  readonly log: Log;
  /** Acts on the end of a run that became known after it had returned. */
  readonly settleLate: (end: RunEnd) => Promise<unknown>;
}
