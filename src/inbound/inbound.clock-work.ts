import { Injectable } from '@nestjs/common';
import { sql } from '../platform/database/index.js';
import { type ClockWork, GoesByClock } from '../platform/queue/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';

/** The callbacks of a workspace that are stored and not yet processed. They are repeated in real time. */
@Injectable()
export class InboundClockWork {
  @GoesByClock()
  callbacks(scope: WorkspaceScope): ClockWork {
    return {
      isPending: sql`EXISTS (SELECT 1 FROM provider_callbacks callback
        WHERE callback.workspace_id = ${scope} AND callback.next_attempt_at <= ${sql.realNow})`,
    };
  }
}
