import { Processor } from '@nestjs/bullmq';
import { Log } from '@outreach/logging';
import { drainOptions, JobQueue } from '@outreach/job-queue';
import { Database, type Sql, type WorkspacesInTime } from '../../platform/database/index.js';
import { Busy } from '../../platform/errors/index.js';
import { DrainProcessor } from '../../platform/queue/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { SANDBOX_REACTIONS } from '../queues.js';
import { dueReactions } from './due-reactions.cross-tenant.js';
import {
  deleteReaction,
  type LeasedReaction,
  leaseReaction,
  MAX_REACTION_ATTEMPTS,
  postponeReaction,
} from './reactions.queries.js';
import { SandboxReactions } from './sandbox-reactions.js';

/** In how many sandboxes a process works at the same time. */
const MAX_SANDBOXES = 4;
/** For how long a run works in one of them before others have a turn. */
const RUN_MS = 5_000;

/** Does what follows after the messages of sandboxes, at its time. */
@Processor(SANDBOX_REACTIONS, drainOptions(MAX_SANDBOXES))
export class ReactionProcessor extends DrainProcessor {
  constructor(
    private readonly reactions: SandboxReactions,
    database: Database,
    jobQueue: JobQueue,
    log: Log,
  ) {
    super(SANDBOX_REACTIONS, MAX_SANDBOXES, { database, jobQueue, log });
  }

  protected override dueKeys(workspaces: WorkspacesInTime): Sql {
    return dueReactions(workspaces);
  }

  protected override async drain(scope: WorkspaceScope, _id: number, stopping: AbortSignal): Promise<'done' | 'more'> {
    const until = performance.now() + RUN_MS;
    while (!stopping.aborted && performance.now() < until) {
      const reaction = await leaseReaction(scope);
      if (!reaction) return 'done';
      await this.react(scope, reaction);
    }
    return 'more';
  }

  /** An error does not stop the other reactions; it is repeated some times. */
  private async react(scope: WorkspaceScope, reaction: LeasedReaction): Promise<void> {
    try {
      await this.reactions.run(scope, reaction);
    } catch (error) {
      const isLast = reaction.attempts >= MAX_REACTION_ATTEMPTS && !(error instanceof Busy);
      if (isLast) await deleteReaction(scope, reaction);
      else await postponeReaction(scope, reaction);
      const { id, kind } = reaction;
      this.dependencies.log.warn(isLast ? 'a reaction was given up' : 'a reaction failed', { id, kind, error });
    }
  }
}
