import { Processor } from '@nestjs/bullmq';
import { Database } from '../../platform/database/index.js';
import { Log } from '../../platform/logging/index.js';
import { JobQueue, type JobKey, DrainProcessor, WORKER } from '../../platform/queue/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { DELIVERING } from '../queues.js';
import { DueWebhooks } from './due-webhooks.cross-tenant.js';
import { releaseWebhook, leaseWebhook } from './due-deliveries.queries.js';
import { WebhookLeases } from './webhook-leases.js';
import { DeliveryContexts } from './delivery-contexts.js';
import { WebhookRun } from './webhook-run.js';

/**
 * Delivers what is due, many webhooks at a time, so that those that wait for slow receivers leave room for the others.
 * Each webhook is one process's at a time.
 */
@Processor(DELIVERING, { concurrency: 200, autorun: false })
export class DeliveryProcessor extends DrainProcessor {
  constructor(
    private readonly due: DueWebhooks,
    private readonly contexts: DeliveryContexts,
    private readonly leases: WebhookLeases,
    database: Database,
    jobQueue: JobQueue,
    log: Log,
  ) {
    super(DELIVERING, { database, jobQueue: jobQueue, log });
  }

  protected override dueKeys(): Promise<readonly JobKey[]> {
    return this.due.keys();
  }

  protected override async drain(
    scope: WorkspaceScope,
    webhookId: number,
    stopping: AbortSignal,
  ): Promise<'done' | 'more'> {
    const leased = await leaseWebhook(scope, webhookId, WORKER);
    if (!leased) return 'done';
    this.leases.acquire(webhookId);
    try {
      await new WebhookRun(this.contexts.of(scope, webhookId, leased), stopping).run();
    } finally {
      // After a failure of ours the lease runs out by itself, which leaves a broken database alone for a while.
      this.leases.release(webhookId);
    }
    return (await releaseWebhook(scope, webhookId, WORKER)) ? 'more' : 'done';
  }
}
