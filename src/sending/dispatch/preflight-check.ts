import { Injectable } from '@nestjs/common';
import { Batcher } from '../../platform/database/index.js';
import { WORKER } from '../../platform/queue/index.js';
import { PerWorkspace, type WorkspaceScope } from '../../platform/tenancy/index.js';
import { BusyConnections } from '../results/index.js';
import { findStillAllowed, markSending, type SendCandidate, type StopReason } from './preflight.queries.js';

/** Checks messages right before they are sent, in batches: one statement for all messages of a workspace. */
@Injectable()
export class PreflightCheck {
  private readonly batches = new PerWorkspace(
    (scope) =>
      new Batcher<SendCandidate, StopReason | null>(
        async (candidates) => {
          const stops = await markSending(scope, WORKER, candidates);
          return candidates.map(({ id }) => stops.get(id) ?? (stops.has(id) ? null : 'lost'));
        },
        { gathering: this.connections.gatheringOf(scope) },
      ),
  );

  private readonly repetitions = new PerWorkspace(
    (scope) =>
      new Batcher<number, boolean>(async (ids) => {
        const allowed = await findStillAllowed(scope, WORKER, ids);
        return ids.map((id) => allowed.has(id));
      }),
  );

  constructor(private readonly connections: BusyConnections) {}

  /** Sets the message to `sending` and returns null, or returns why it must not be sent. */
  run(scope: WorkspaceScope, candidate: SendCandidate): Promise<StopReason | null> {
    return this.batches.of(scope).submit(candidate);
  }

  /** Returns whether a message that is `sending` may still be sent. */
  isStillAllowed(scope: WorkspaceScope, id: number): Promise<boolean> {
    return this.repetitions.of(scope).submit(id);
  }
}
