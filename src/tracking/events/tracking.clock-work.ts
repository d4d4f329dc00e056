import { Injectable } from '@nestjs/common';
import { GRACE_SECONDS } from '@outreach/bot-detection';
import { sql } from '../../platform/database/index.js';
import { type ClockWork, GoesByClock } from '../../platform/queue/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';

/** When the tracking events of a workspace are classified. */
@Injectable()
export class TrackingClockWork {
  @GoesByClock()
  classification(scope: WorkspaceScope): ClockWork {
    const grace = sql`make_interval(secs => ${GRACE_SECONDS})`;
    const undecided = sql`FROM tracking_events event
      WHERE event.workspace_id = ${scope} AND event.classification = 'undecided' AND event.created_at`;
    return {
      isPending: sql`EXISTS (SELECT 1 ${undecided} <= ${scope.now} - ${grace})`,
      next: sql`SELECT min(event.created_at) + ${grace} ${undecided} > ${scope.now} - ${grace}`,
    };
  }
}
