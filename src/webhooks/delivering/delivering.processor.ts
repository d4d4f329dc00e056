import { Processor } from '@nestjs/bullmq';
import { Database } from '../../platform/database/index.js';
import { Log } from '../../platform/logging/index.js';
import { Doorbell, type Lane, LaneProcessor, WORKER } from '../../platform/queue/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { DELIVERING } from '../queues.js';
import { DueWebhooks } from './due.crossing.js';
import { giveBackLane, takeLane } from './lane.queries.js';
import { WebhookLeases } from './leases.js';
import { WebhookLanes } from './webhook-lanes.js';
import { WebhookSlice } from './webhook-slice.js';

/**
 * Delivers what is due, many webhooks at a time, so that those that wait for slow receivers leave room for the others.
 * Each webhook is one process's at a time.
 */
@Processor(DELIVERING, { concurrency: 200, autorun: false })
export class DeliveringProcessor extends LaneProcessor {
  constructor(
    private readonly due: DueWebhooks,
    private readonly webhooks: WebhookLanes,
    private readonly leases: WebhookLeases,
    database: Database,
    doorbell: Doorbell,
    log: Log,
  ) {
    super(DELIVERING, { database, doorbell, log });
  }

  protected override lanes(): Promise<readonly Lane[]> {
    return this.due.lanes();
  }

  protected override async drain(
    scope: WorkspaceScope,
    webhookId: number,
    stopping: AbortSignal,
  ): Promise<'done' | 'more'> {
    const taken = await takeLane(scope, webhookId, WORKER);
    if (!taken) return 'done';
    this.leases.hold(webhookId);
    try {
      await new WebhookSlice(this.webhooks.of(scope, webhookId, taken), stopping).run();
    } finally {
      // After a failure of ours the lease runs out by itself, which leaves a broken database alone for a while.
      this.leases.letGo(webhookId);
    }
    return (await giveBackLane(scope, webhookId, WORKER)) ? 'more' : 'done';
  }
}
