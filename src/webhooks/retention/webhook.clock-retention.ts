import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../platform/config/index.js';
import { sql } from '../../platform/database/index.js';
import { type ClockRetention, ExpiresByClock } from '../../platform/queue/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { BODY_RETENTION_DAYS, LOG_RETENTION_DAYS } from '../logs/retention-days.js';
import type { WebhooksConfig } from '../webhooks.settings.js';
import { deleteExpired, type ExpiringTable, hasExpired, staleWebhooksOf } from './expired-rows.queries.js';
import { dropStaleDeliveries } from './waiting-deliveries.queries.js';

/** What expires of the webhooks and events of one workspace. */
@Injectable()
export class WebhookClockRetention {
  constructor(@Inject(CONFIG) private readonly config: Pick<WebhooksConfig, 'event_retention_days'>) {}

  @ExpiresByClock()
  logs(scope: WorkspaceScope): ClockRetention {
    return rowsOf(scope, 'webhook_logs', LOG_RETENTION_DAYS);
  }

  @ExpiresByClock()
  bodies(scope: WorkspaceScope): ClockRetention {
    return rowsOf(scope, 'webhook_events', BODY_RETENTION_DAYS);
  }

  @ExpiresByClock()
  feed(scope: WorkspaceScope): ClockRetention {
    return rowsOf(scope, 'event_batches', this.config.event_retention_days);
  }

  @ExpiresByClock()
  deliveries(scope: WorkspaceScope): ClockRetention {
    return {
      isExpiredAt: (instant) => sql`EXISTS (${staleWebhooksOf(scope, LOG_RETENTION_DAYS, instant)})`,
      delete: async () => {
        const stale = await scope.query<{ id: number }>(staleWebhooksOf(scope, LOG_RETENTION_DAYS, scope.now));
        for (const { id } of stale) await dropStaleDeliveries(scope, id);
      },
    };
  }
}

const rowsOf = (scope: WorkspaceScope, table: ExpiringTable, days: number): ClockRetention => ({
  isExpiredAt: (instant) => hasExpired(scope, table, days, instant),
  delete: () => deleteExpired(scope, table, days),
});
