import { Body, Controller, Delete, Get, Post, Put, Query } from '@nestjs/common';
import { Summary } from '@outreach/http-api/openapi';
import { IdParam } from '@outreach/http-api/requests';
import { Responds, RespondsNoContent, RespondsPage } from '@outreach/http-api/responses';
import { IgnoresIdempotencyKey, RequirePermission } from '@outreach/http-api/routes';
import { LoadRecord } from '../platform/http/records/index.js';
import { InWorkspace, LoadedRecord } from '../platform/http/requests/index.js';
import { WaitsForNetwork } from '../platform/http/shares/index.js';
import { WorkspaceScope } from '../platform/tenancy/index.js';
import { CreateWebhookDto } from './dto/create-webhook.dto.js';
import { UpdateWebhookDto } from './dto/update-webhook.dto.js';
import { WebhookListQuery } from './dto/webhook-list.query.js';
import { TestDelivery } from './test-delivery/test-delivery.js';
import { Webhook } from './webhook.entity.js';
import { createdWebhookView, newSecretView, testResultView, webhookView } from './webhook.view.js';
import { webhookRecords } from './webhooks.queries.js';
import { Webhooks } from './webhooks.service.js';

@Controller('v1/webhooks')
export class WebhooksController {
  constructor(
    private readonly webhooks: Webhooks,
    private readonly tests: TestDelivery,
  ) {}

  /** The webhooks of the workspace, without their secrets. */
  @Get()
  @RequirePermission('webhooks:read')
  @RespondsPage(webhookView)
  list(@InWorkspace() scope: WorkspaceScope, @Query() query: WebhookListQuery) {
    return webhookRecords(scope).page(query);
  }

  /** Creates a webhook. The response has its secret, which no other response shows. */
  @Post()
  @RequirePermission('webhooks:write')
  @WaitsForNetwork('lookup')
  @Responds(createdWebhookView, { status: 201 })
  create(@InWorkspace() scope: WorkspaceScope, @Body() dto: CreateWebhookDto) {
    return this.webhooks.create(scope, dto);
  }

  /** One webhook, without its secret. */
  @Get(':id')
  @RequirePermission('webhooks:read')
  @Responds(webhookView)
  get(@InWorkspace() scope: WorkspaceScope, @IdParam() id: number) {
    return webhookRecords(scope).get(id);
  }

  /**
   * Changes the fields that the body names. `is_active: true` resumes a webhook that was disabled. It ends a pause, and so does
   * another `url`: what waits is attempted at once.
   */
  @Put(':id')
  @RequirePermission('webhooks:write')
  @WaitsForNetwork('lookup')
  @LoadRecord(Webhook)
  @Responds(webhookView)
  update(@InWorkspace() scope: WorkspaceScope, @LoadedRecord() webhook: Webhook, @Body() dto: UpdateWebhookDto) {
    return this.webhooks.update(scope, webhook.id, dto);
  }

  /** Deletes the webhook with its log. Waiting deliveries are dropped. */
  @Delete(':id')
  @RequirePermission('webhooks:write')
  @RespondsNoContent()
  delete(@InWorkspace() scope: WorkspaceScope, @IdParam() id: number) {
    return scope.withoutStatementLimit().of(Webhook).delete(id);
  }

  /**
   * Sends the event `webhook.test` at once, also to an inactive webhook, and responds with the result. The attempt is
   * logged; it counts neither as a failure nor as a success.
   */
  @Post(':id/test')
  @Summary('Send a test delivery to a webhook')
  @RequirePermission('webhooks:write')
  @WaitsForNetwork('connection')
  @LoadRecord(Webhook)
  @IgnoresIdempotencyKey()
  @Responds(testResultView, { envelope: 'none' })
  test(@InWorkspace() scope: WorkspaceScope, @IdParam() id: number) {
    return this.tests.run(scope, id);
  }

  /** Replaces the secret. Deliveries are signed with the new one from now on; what waits is attempted at once. */
  @Post(':id/regenerate-secret')
  @Summary('Replace the secret of a webhook', 'regenerateWebhookSecret')
  @RequirePermission('webhooks:write')
  @LoadRecord(Webhook)
  @Responds(newSecretView, { message: () => 'The webhook has a new secret. The old one is no longer used.' })
  regenerateSecret(@InWorkspace() scope: WorkspaceScope, @IdParam() id: number) {
    return this.webhooks.regenerateSecret(scope, id);
  }
}
