import { Injectable } from '@nestjs/common';
import { sql } from '../platform/database/index.js';
import { type ClockWork, GoesByClock } from '../platform/queue/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import { isNotLeasedAndHasDueDelivery, nextDeliveryAt } from './delivery/webhook-leases.queries.js';

/** When the webhooks of a workspace have deliveries to attempt. */
@Injectable()
export class WebhookClockWork {
  /** While the circuit of a webhook is open, its deliveries wait for its end. An inactive one has what a user has requested. */
  @GoesByClock()
  deliveries(scope: WorkspaceScope): ClockWork {
    return {
      isPending: sql`EXISTS (
        SELECT 1 FROM webhooks webhook WHERE webhook.workspace_id = ${scope}
          AND (webhook.lease_until > ${sql.realNow} OR ${isNotLeasedAndHasDueDelivery(sql`${scope}`, scope.now)}))`,
      next: sql`SELECT min(due.at) FROM webhooks webhook
        CROSS JOIN LATERAL (SELECT ${nextDeliveryAt(sql`${scope}`, sql`webhook`)} AS at) due
        WHERE webhook.workspace_id = ${scope} AND due.at > ${scope.now}`,
    };
  }
}
