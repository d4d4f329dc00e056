import { Injectable } from '@nestjs/common';
import { Coalescer } from '../../platform/database/index.js';
import { WORKER } from '../../platform/queue/index.js';
import { PerWorkspace, type WorkspaceScope } from '../../platform/tenancy/index.js';
import { type Candidate, mark, type Stop } from './mark.queries.js';
import type { Accepted } from './record.queries.js';
import { Recorder } from './recorder.js';

/** What the hand-overs of one workspace write together. */
export interface Batches {
  /** Marks a message as being handed over, or says why it must not be. */
  readonly marks: Coalescer<Candidate, Stop | null>;
  /** Records that a message was accepted. */
  readonly sent: Coalescer<Accepted, undefined>;
}

/** One set of batches per workspace, for all accounts that this process drains. */
@Injectable()
export class WorkspaceBatches {
  private readonly batches = new PerWorkspace((scope) => this.create(scope));

  constructor(private readonly recorder: Recorder) {}

  of(scope: WorkspaceScope): Batches {
    return this.batches.of(scope);
  }

  private create(scope: WorkspaceScope): Batches {
    return {
      marks: new Coalescer(async (candidates) => {
        const stops = await mark(scope, WORKER, candidates);
        return candidates.map(({ id }) => stops.get(id) ?? (stops.has(id) ? null : 'lost'));
      }),
      sent: new Coalescer(async (accepted) => {
        await this.recorder.sent(scope, accepted);
        return accepted.map(() => undefined);
      }),
    };
  }
}
