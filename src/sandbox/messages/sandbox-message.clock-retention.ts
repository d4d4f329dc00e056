import { Injectable } from '@nestjs/common';
import { sql } from '../../platform/database/index.js';
import { type ClockRetention, ExpiresByClock } from '../../platform/queue/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { dropOldMessages, SANDBOX_MESSAGE_DAYS } from '../../sending/index.js';

/** The messages of one sandbox that are too old. */
@Injectable()
export class SandboxMessageClockRetention {
  @ExpiresByClock()
  messages(scope: WorkspaceScope): ClockRetention {
    return {
      isExpiredAt: (instant) => sql`EXISTS (SELECT 1 FROM sandbox_messages message
        WHERE message.workspace_id = ${scope}
          AND message.created_at <= ${instant} - make_interval(days => ${SANDBOX_MESSAGE_DAYS}))`,
      delete: () => dropOldMessages(scope),
    };
  }
}
