import { Injectable } from '@nestjs/common';
import { EgressPolicy, hostError } from '../platform/egress/index.js';
import { NotFound } from '../platform/errors/index.js';
import { JobQueue } from '../platform/queue/index.js';
import type { Values, WorkspaceScope } from '../platform/tenancy/index.js';
import type { CreateWebhookDto } from './dto/create-webhook.dto.js';
import type { UpdateWebhookDto } from './dto/update-webhook.dto.js';
import { DELIVERING } from './queues.js';
import { WebhookSecrets } from './secrets.js';
import { dropWaiting, MAX_WAIT_HOURS } from './waiting.queries.js';
import { Webhook } from './webhook.entity.js';
import { UrlNotPublic } from './webhook.errors.js';
import type { NewSecret } from './webhook.view.js';
import { lockWebhook } from './webhooks.queries.js';

@Injectable()
export class Webhooks {
  constructor(
    private readonly secrets: WebhookSecrets,
    private readonly policy: EgressPolicy,
    private readonly jobQueue: JobQueue,
  ) {}

  /** Gives the secret in the clear, too. @throws UrlNotPublic */
  async create(scope: WorkspaceScope, dto: CreateWebhookDto): Promise<{ webhook: Webhook; secret: string }> {
    await this.assertPublic(dto.url);
    const { secret, encrypted: sealed } = this.secrets.make(scope);
    const { url, events, is_active } = dto;
    const webhook = await scope.of(Webhook).insert({ url, events, is_active, secret: sealed });
    return { webhook, secret };
  }

  /** Active: true ends a pause and forgets failures; a new URL ends a pause. @throws UrlNotPublic, NotFound */
  async update(scope: WorkspaceScope, id: number, dto: UpdateWebhookDto): Promise<Webhook> {
    await this.assertPublic(dto.url);
    return scope.transaction(async (tx) => {
      const before = await lockWebhook(tx, id);
      if (!before) throw new NotFound('Webhook');
      const isNewUrl = dto.url !== undefined && dto.url !== before.url;
      const webhook = await tx.of(Webhook).update(id, changes(dto, isNewUrl));
      if (dto.is_active && !before.is_active) await dropWaiting(tx, id, MAX_WAIT_HOURS);
      if (dto.is_active || isNewUrl) this.wake(tx, id);
      return webhook;
    });
  }

  /** The old secret is of no use from now on, for deliveries that wait either. @throws NotFound */
  async regenerateSecret(scope: WorkspaceScope, id: number): Promise<NewSecret> {
    const { secret, encrypted: sealed } = this.secrets.make(scope);
    await scope.of(Webhook).update(id, { secret: sealed });
    return { id, secret };
  }

  private async assertPublic(url: string | undefined): Promise<void> {
    const error = url === undefined ? undefined : await hostError(new URL(url).hostname, this.policy);
    if (error !== undefined) throw new UrlNotPublic(error);
  }

  private wake(tx: WorkspaceScope, id: number): void {
    tx.afterCommit(() => this.jobQueue.enqueue(DELIVERING, [{ workspace_id: tx.workspace_id, id }]));
  }
}

function changes({ url, events, is_active }: UpdateWebhookDto, isNewUrl: boolean): Values<Webhook> {
  return {
    url,
    events,
    is_active,
    ...(is_active ? { failure_count: 0 } : {}),
    ...(is_active || isNewUrl ? { paused_until: null } : {}),
  };
}
