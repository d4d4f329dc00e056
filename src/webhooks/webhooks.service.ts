import { Injectable } from '@nestjs/common';
import { JobQueue } from '@outreach/job-queue';
import { NotFound } from '@outreach/http-errors';
import { sql } from '../platform/database/index.js';
import { WorkspaceLimits } from '../platform/limits/index.js';
import type { ColumnValues, WorkspaceScope } from '../platform/tenancy/index.js';
import type { CreateWebhookDto } from './dto/create-webhook.dto.js';
import type { UpdateWebhookDto } from './dto/update-webhook.dto.js';
import { DELIVERING } from './queues.js';
import { WebhookSecrets } from './webhook-secrets.js';
import { dropWaitingDeliveries, MAX_WAIT_HOURS } from './retention/waiting-deliveries.queries.js';
import { Webhook } from './webhook.entity.js';
import type { NewSecret, WebhookRecord } from './webhook.view.js';
import { hastenDeliveries, lockWebhook, webhookRecords } from './webhooks.queries.js';

@Injectable()
export class Webhooks {
  constructor(
    private readonly secrets: WebhookSecrets,
    private readonly jobQueue: JobQueue,
    private readonly limits: WorkspaceLimits,
  ) {}

  /** Returns the webhook and its secret, not encrypted. @throws LimitReached */
  create(scope: WorkspaceScope, dto: CreateWebhookDto): Promise<{ webhook: WebhookRecord; secret: string }> {
    const { secret, encrypted } = this.secrets.create(scope);
    const { url, events, is_active } = dto;
    return scope.transaction(async (tx) => {
      const webhook = await tx.of(Webhook).insert({ url, events, is_active, secret: encrypted });
      await this.limits.check(tx, 'webhooks', sql`SELECT 1 FROM webhooks WHERE workspace_id = ${tx}`);
      return { webhook: { ...webhook, paused_until: null, next_attempt_at: null, pending_count: 0 }, secret };
    });
  }

  /**
   * `is_active: true` ends a pause and resets the failures. A new URL ends a pause. What waits is attempted at once after
   * either of them. @throws NotFound
   */
  update(scope: WorkspaceScope, id: number, dto: UpdateWebhookDto): Promise<WebhookRecord> {
    return scope.withoutStatementLimit().transaction(async (tx) => {
      const before = await lockWebhook(tx, id);
      if (!before) throw new NotFound('Webhook');
      const isNewUrl = dto.url !== undefined && dto.url !== before.url;
      const isResumed = dto.is_active === true && (!before.is_active || before.failure_count > 0);
      await tx.of(Webhook).update(id, changes(dto, isNewUrl));
      if (dto.is_active && !before.is_active) await dropWaitingDeliveries(tx, id, MAX_WAIT_HOURS);
      if (isNewUrl || isResumed) await hastenDeliveries(tx, id);
      if (dto.is_active || isNewUrl) this.enqueue(tx, id);
      return webhookRecords(tx).get(id);
    });
  }

  /** Replaces the secret. Ends a pause, and what waits is attempted at once, signed with the new secret. @throws NotFound */
  regenerateSecret(scope: WorkspaceScope, id: number): Promise<NewSecret> {
    const { secret, encrypted } = this.secrets.create(scope);
    return scope.withoutStatementLimit().transaction(async (tx) => {
      await tx.of(Webhook).update(id, { secret: encrypted, paused_until: null });
      await hastenDeliveries(tx, id);
      this.enqueue(tx, id);
      return { id, secret };
    });
  }

  private enqueue(tx: WorkspaceScope, id: number): void {
    tx.afterCommit(() => this.jobQueue.enqueue(DELIVERING, [{ workspace_id: tx.workspace_id, id }]));
  }
}

function changes({ url, events, is_active }: UpdateWebhookDto, isNewUrl: boolean): ColumnValues<Webhook> {
  return {
    url,
    events,
    is_active,
    ...(is_active ? { failure_count: 0 } : {}),
    ...(is_active || isNewUrl ? { paused_until: null } : {}),
  };
}
