import { setTimeout as pause } from 'node:timers/promises';
import { Processor } from '@nestjs/bullmq';
import { Log } from '@outreach/logging';
import { drainOptions, type JobKey, JobQueue, LEASE_SECONDS, WORKER } from '@outreach/job-queue';
import { Database, type Sql, type WorkspacesInTime } from '../../platform/database/index.js';
import { DrainProcessor } from '../../platform/queue/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { DELIVERING } from '../queues.js';
import { DeliveryContexts } from './delivery-contexts.js';
import { DueWebhooks } from './due-webhooks.cross-tenant.js';
import { WebhookLeases } from './webhook-leases.js';
import { leaseWebhook, leaveWebhook, releaseWebhook } from './webhook-leases.queries.js';
import { WebhookRun } from './webhook-run.js';

/**
 * How many webhooks a process delivers to at the same time. A workspace whose receivers do not respond holds only the
 * places of its share.
 */
const MAX_WEBHOOKS = 250;

/**
 * Delivers to many webhooks concurrently, so that slow receivers do not delay the others. One process at a time
 * delivers to a webhook. `deliver.ts` lists the steps of a delivery.
 */
@Processor(DELIVERING, drainOptions(10))
export class DeliveryProcessor extends DrainProcessor {
  constructor(
    private readonly due: DueWebhooks,
    private readonly contexts: DeliveryContexts,
    private readonly leases: WebhookLeases,
    database: Database,
    jobQueue: JobQueue,
    log: Log,
  ) {
    super(DELIVERING, MAX_WEBHOOKS, { database, jobQueue, log });
  }

  protected override dueKeys(workspaces: WorkspacesInTime): Sql {
    return this.due.keys(workspaces);
  }

  protected override untouchedKeys(): Promise<readonly JobKey[]> {
    return this.due.untouched.find();
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
    } catch (error) {
      await this.leave(scope, webhookId, stopping);
      throw error;
    } finally {
      this.leases.release(webhookId);
    }
    return (await releaseWebhook(scope, webhookId, WORKER)) ? 'more' : 'done';
  }

  /**
   * The lease expires, so that the retry comes some seconds later, in any worker. While the database is away this is
   * repeated; if it stays away, other workers wait a minute longer.
   */
  private async leave(scope: WorkspaceScope, webhookId: number, stopping: AbortSignal): Promise<void> {
    for (let second = 0; second < LEASE_SECONDS && !stopping.aborted; second += 1) {
      try {
        return await leaveWebhook(scope, webhookId, WORKER);
      } catch {
        await pause(1_000, undefined, { signal: stopping }).catch(ignoreAbort);
      }
    }
  }
}

const ignoreAbort = (): void => undefined;
