import { Module, type OnApplicationShutdown } from '@nestjs/common';
import { DailyPartitions } from '@outreach/database';
import { EgressPolicy, HttpsClient } from '@outreach/egress';
import { WebhookSender } from './delivery/webhook-sender.js';
import { DeliveryProcessor } from './delivery/delivery.processor.js';
import { DueWebhooks } from './delivery/due-webhooks.cross-tenant.js';
import { WebhookLeases } from './delivery/webhook-leases.js';
import { DeliveryResults } from './delivery/delivery-results.js';
import { DeliveryContexts } from './delivery/delivery-contexts.js';
import { EventsController } from './feed/events.controller.js';
import { Events } from './feed/events.service.js';
import { RedeliveryController } from './logs/redelivery.controller.js';
import { WebhookLogsController } from './logs/webhook-logs.controller.js';
import { WebhookLogCheck } from './logs/webhook-log.check.js';
import { WebhookLogs } from './logs/webhook-logs.service.js';
import { EventOutbox } from './outbox/event-outbox.js';
import { WebhookClockRetention } from './retention/webhook.clock-retention.js';
import { WebhookRetention } from './retention/webhook-retention.js';
import { StaleWebhooks } from './retention/stale-webhooks.cross-tenant.js';
import { WebhookSecrets } from './webhook-secrets.js';
import { TestDelivery } from './test-delivery/test-delivery.js';
import { WebhookClockWork } from './webhook.clock-work.js';
import { WebhookPublicEvents } from './webhook.public-events.js';
import { WebhookMetrics } from './webhook-metrics.cross-tenant.js';
import { WebhooksController } from './webhooks.controller.js';
import { Webhooks } from './webhooks.service.js';

const client = {
  provide: HttpsClient,
  useFactory: (policy: EgressPolicy) => new HttpsClient({ policy }),
  inject: [EgressPolicy],
};

/** `/webhooks` and their logs. Listens to the public events of all modules; no module imports it. */
@Module({
  controllers: [WebhooksController, WebhookLogsController, RedeliveryController, EventsController],
  providers: [
    WebhookSender,
    EventOutbox,
    Events,
    TestDelivery,
    WebhookClockRetention,
    WebhookClockWork,
    WebhookPublicEvents,
    WebhookMetrics,
    WebhookLogCheck,
    WebhookLogs,
    Webhooks,
    WebhookSecrets,
    client,
  ],
  exports: [WebhookSender, WebhookSecrets],
})
export class WebhooksModule implements OnApplicationShutdown {
  constructor(private readonly client: HttpsClient) {}

  /** Idle connections would keep the process alive. */
  onApplicationShutdown(): void {
    this.client.close();
  }
}

/** Delivers events and deletes expired rows. For workers only. */
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
