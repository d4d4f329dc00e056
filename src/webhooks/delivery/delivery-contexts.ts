import { Injectable } from '@nestjs/common';
import { Batcher } from '@outreach/concurrency';
import { PerWorkspace, type WorkspaceScope } from '../../platform/tenancy/index.js';
import { DecryptedSecret, WebhookSecrets } from '../webhook-secrets.js';
import { DeliveryResults } from './delivery-results.js';
import type { CompletedAttempt } from './delivery-results.queries.js';
import { type DeliveryTarget, findTargets } from './due-deliveries.queries.js';
import type { LeasedWebhook } from './webhook-leases.queries.js';
import { WebhookSender } from './webhook-sender.js';

/** Statements that concurrent deliveries of one workspace share. */
interface DeliveryBatches {
  /** The preflight check: undefined for a delivery that must not be attempted. */
  readonly targets: Batcher<number, DeliveryTarget | undefined>;
  readonly delivered: Batcher<CompletedAttempt, undefined>;
}

/** What all deliveries to one leased webhook use. */
export interface DeliveryContext extends LeasedWebhook {
  readonly scope: WorkspaceScope;
  readonly webhook_id: number;
  readonly batches: DeliveryBatches;
  readonly secret: DecryptedSecret;
  readonly sender: WebhookSender;
  readonly results: DeliveryResults;
}

const MAX_RESULTS_PER_BATCH = 500;

/** Creates the contexts of webhooks. Those of one workspace share their batches. */
@Injectable()
export class DeliveryContexts {
  private readonly batches = new PerWorkspace((scope) => this.createBatches(scope));

  constructor(
    private readonly secrets: WebhookSecrets,
    private readonly sender: WebhookSender,
    private readonly results: DeliveryResults,
  ) {}

  of(scope: WorkspaceScope, webhookId: number, webhook: LeasedWebhook): DeliveryContext {
    const { sender, results } = this;
    const secret = new DecryptedSecret(this.secrets, scope);
    return { ...webhook, scope, webhook_id: webhookId, batches: this.batches.of(scope), secret, sender, results };
  }

  private createBatches(scope: WorkspaceScope): DeliveryBatches {
    return {
      targets: new Batcher(
        async (ids) => {
          const targets = new Map((await findTargets(scope, ids)).map((target) => [target.id, target]));
          return ids.map((id) => targets.get(id));
        },
        // One large batch takes less time than several small ones.
        { maxConcurrency: 1, collectMs: 1 },
      ),
      // One batch at a time: two that update the same webhooks would wait for each other's locks.
      delivered: new Batcher(
        async (attempts) => {
          await this.results.delivered(scope, attempts);
          return attempts.map(() => undefined);
        },
        { maxBatchSize: MAX_RESULTS_PER_BATCH, maxConcurrency: 1, collectMs: 2 },
      ),
    };
  }
}
