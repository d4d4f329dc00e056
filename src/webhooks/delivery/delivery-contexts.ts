import { Injectable } from '@nestjs/common';
import { Batcher } from '../../platform/database/index.js';
import { PerWorkspace, type WorkspaceScope } from '../../platform/tenancy/index.js';
import { DecryptedSecret, WebhookSecrets } from '../secrets.js';
import { Attempts } from './attempts.js';
import { findTargets, type LeasedWebhook, type Target } from './due-deliveries.queries.js';
import type { CompletedAttempt } from './delivery-results.queries.js';
import { DeliveryResults } from './delivery-results.js';

/** What the deliveries of one workspace ask and write together. */
interface Batches {
  /** Undefined for a delivery that must not go any more. */
  readonly targets: Batcher<number, Target | undefined>;
  readonly delivered: Batcher<CompletedAttempt, undefined>;
}

/** What the deliveries to one webhook have in common. */
export interface DeliveryContext extends LeasedWebhook {
  readonly scope: WorkspaceScope;
  readonly webhook_id: number;
  readonly batches: Batches;
  readonly secret: DecryptedSecret;
  readonly attempts: Attempts;
  readonly results: DeliveryResults;
}

const MAX_RESULTS_PER_BATCH = 500;

/** Puts together what deliveries need; those of a workspace share their statements, whichever webhook they are for. */
@Injectable()
export class DeliveryContexts {
  private readonly batches = new PerWorkspace((scope) => this.create(scope));

  constructor(
    private readonly secrets: WebhookSecrets,
    private readonly attempts: Attempts,
    private readonly results: DeliveryResults,
  ) {}

  of(scope: WorkspaceScope, webhookId: number, leased: LeasedWebhook): DeliveryContext {
    const { attempts, results } = this;
    const secret = new DecryptedSecret(this.secrets, scope);
    return { ...leased, scope, webhook_id: webhookId, batches: this.batches.of(scope), secret, attempts, results };
  }

  private create(scope: WorkspaceScope): Batches {
    return {
      targets: new Batcher(async (ids) => {
        const targets = new Map((await findTargets(scope, ids)).map((target) => [target.id, target]));
        return ids.map((id) => targets.get(id));
      }),
      // One at a time: two that write to the same webhooks would wait for each other.
      delivered: new Batcher(
        async (made) => {
          await this.results.delivered(scope, made);
          return made.map(() => undefined);
        },
        MAX_RESULTS_PER_BATCH,
        1,
      ),
    };
  }
}
