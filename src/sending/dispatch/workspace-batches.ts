import { Injectable } from '@nestjs/common';
import { Batcher } from '../../platform/database/index.js';
import { WORKER } from '../../platform/queue/index.js';
import { PerWorkspace, type WorkspaceScope } from '../../platform/tenancy/index.js';
import { type SendCandidate, markSending, type StopReason } from './preflight.queries.js';
import type { AcceptedMessage } from '../results/message-status.queries.js';
import { SendResults } from '../results/send-results.js';

/** What the hand-overs of one workspace write together. */
export interface Batches {
  /** Marks a message as being handed over, or says why it must not be. */
  readonly marks: Batcher<SendCandidate, StopReason | null>;
  /** Records that a message was accepted. */
  readonly sent: Batcher<AcceptedMessage, undefined>;
}

/** One set of batches per workspace, for all accounts that this process drains. */
@Injectable()
export class WorkspaceBatches {
  private readonly batches = new PerWorkspace((scope) => this.create(scope));

  constructor(private readonly results: SendResults) {}

  of(scope: WorkspaceScope): Batches {
    return this.batches.of(scope);
  }

  private create(scope: WorkspaceScope): Batches {
    return {
      marks: new Batcher(async (candidates) => {
        const stops = await markSending(scope, WORKER, candidates);
        return candidates.map(({ id }) => stops.get(id) ?? (stops.has(id) ? null : 'lost'));
      }),
      sent: new Batcher(async (accepted) => {
        await this.results.sent(scope, accepted);
        return accepted.map(() => undefined);
      }),
    };
  }
}
