import { Injectable } from '@nestjs/common';
import { sql } from '../../platform/database/index.js';
import { type ClockWork, GoesByClock } from '../../platform/queue/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';

/** When something is to follow after the messages of a sandbox. */
@Injectable()
export class ReactionClockWork {
  @GoesByClock()
  reactions(scope: WorkspaceScope): ClockWork {
    const of = sql`FROM sandbox_reactions reaction WHERE reaction.workspace_id = ${scope}`;
    return {
      isPending: sql`EXISTS (SELECT 1 ${of} AND reaction.due_at <= ${scope.now})`,
      next: sql`SELECT reaction.due_at ${of} AND reaction.due_at > ${scope.now} ORDER BY reaction.due_at LIMIT 1`,
    };
  }
}
