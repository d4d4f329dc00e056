import { Module, type OnApplicationShutdown } from '@nestjs/common';
import { DailyPartitions } from '../platform/database/index.js';
import { EgressPolicy, HttpsClient } from '../platform/egress/index.js';
import { Attempts } from './delivery/attempts.js';
import { DeliveryProcessor } from './delivery/delivery.processor.js';
import { DueWebhooks } from './delivery/due-webhooks.cross-tenant.js';
import { WebhookLeases } from './delivery/webhook-leases.js';
import { DeliveryResults } from './delivery/delivery-results.js';
import { DeliveryContexts } from './delivery/delivery-contexts.js';
import { WebhookLogsController } from './logs/webhook-logs.controller.js';
import { WebhookLogs } from './logs/webhook-logs.service.js';
import { EventOutbox } from './outbox/event-outbox.js';
import { WebhookRetention } from './retention/retention.js';
import { StaleWebhooks } from './retention/stale-webhooks.cross-tenant.js';
import { WebhookSecrets } from './secrets.js';
import { TestDelivery } from './test-delivery.js';
import { WebhookPublicEvents } from './webhook.public-events.js';
import { WebhookMetrics } from './webhook-metrics.cross-tenant.js';
import { WebhooksController } from './webhooks.controller.js';
import { Webhooks } from './webhooks.service.js';

const client = {
  provide: HttpsClient,
  useFactory: (policy: EgressPolicy) => new HttpsClient({ policy }),
  inject: [EgressPolicy],
};

/** `/webhooks` and their logs. Hears what all modules announce; nothing knows of it. */
@Module({
  controllers: [WebhooksController, WebhookLogsController],
  providers: [
    Attempts,
    EventOutbox,
    TestDelivery,
    WebhookPublicEvents,
    WebhookMetrics,
    WebhookLogs,
    Webhooks,
    WebhookSecrets,
    client,
  ],
  exports: [Attempts, WebhookSecrets],
})
export class WebhooksModule implements OnApplicationShutdown {
  constructor(private readonly client: HttpsClient) {}

  /** Connections that are kept for the next delivery would keep the process, too. */
  onApplicationShutdown(): void {
    this.client.close();
  }
}

/** Delivers what was raised, and removes what has had its time. For workers only. */
@Module({
  imports: [WebhooksModule],
  providers: [
    DeliveryResults,
    DailyPartitions,
    DeliveryProcessor,
    DueWebhooks,
    WebhookRetention,
    StaleWebhooks,
    DeliveryContexts,
    WebhookLeases,
  ],
})
export class WebhooksWorkerModule {}
