import { Module, type OnApplicationShutdown } from '@nestjs/common';
import { DailyPartitions } from '../platform/database/index.js';
import { EgressPolicy, HttpsClient } from '../platform/egress/index.js';
import { Attempts } from './delivering/attempts.js';
import { DeliveringProcessor } from './delivering/delivering.processor.js';
import { DueWebhooks } from './delivering/due.crossing.js';
import { WebhookLeases } from './delivering/leases.js';
import { AttemptRecorder } from './delivering/recorder.js';
import { WebhookLanes } from './delivering/webhook-lanes.js';
import { WebhookLogsController } from './logs/webhook-logs.controller.js';
import { WebhookLogs } from './logs/webhook-logs.service.js';
import { RaisedEvents } from './raising/raised-events.js';
import { Retention } from './retention/retention.js';
import { StaleWebhookRows } from './retention/stale.crossing.js';
import { WebhookSecrets } from './secrets.js';
import { TestDelivery } from './test-delivery.js';
import { WebhookAnnouncements } from './webhook.announcements.js';
import { WebhookFigures } from './webhook-figures.crossing.js';
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
    RaisedEvents,
    TestDelivery,
    WebhookAnnouncements,
    WebhookFigures,
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
    AttemptRecorder,
    DailyPartitions,
    DeliveringProcessor,
    DueWebhooks,
    Retention,
    StaleWebhookRows,
    WebhookLanes,
    WebhookLeases,
  ],
})
export class WebhooksWorkerModule {}
