import { Controller, Get, Post, Query } from '@nestjs/common';
import { LargeResponse, Responds, RespondsPage } from '@outreach/http-api/responses';
import { Summary } from '@outreach/http-api/openapi';
import { IdParam } from '@outreach/http-api/requests';
import { RequirePermission } from '@outreach/http-api/routes';
import { CheckRecord, LoadRecord } from '../../platform/http/records/index.js';
import { InWorkspace, LoadedRecord } from '../../platform/http/requests/index.js';
import { WorkspaceScope } from '../../platform/tenancy/index.js';
import { Webhook } from '../webhook.entity.js';
import { LogListQuery } from './log-list.query.js';
import { logView, redelivery } from './log.view.js';
import { WebhookLogCheck } from './webhook-log.check.js';
import { WebhookLogs } from './webhook-logs.service.js';

@Controller('v1/webhooks/:id/logs')
export class WebhookLogsController {
  constructor(private readonly logs: WebhookLogs) {}

  /** All attempts of the last 30 days. `search` looks at the name of the event only. */
  @Get()
  @Summary('List the delivery attempts of a webhook')
  @RequirePermission('webhooks:read')
  @LoadRecord(Webhook)
  @LargeResponse({ rowBytes: 80_000 })
  @RespondsPage(logView)
  list(@InWorkspace() scope: WorkspaceScope, @LoadedRecord() webhook: Webhook, @Query() query: LogListQuery) {
    return this.logs.page(scope, webhook.id, query);
  }

  /** Sends the same body again, as a new delivery, also to an inactive webhook. */
  @Post(':log/redeliver')
  @Summary('Send a logged delivery again')
  @RequirePermission('webhooks:write')
  @LoadRecord(Webhook)
  @CheckRecord(WebhookLogCheck)
  @Responds(redelivery, { status: 202 })
  redeliver(@InWorkspace() scope: WorkspaceScope, @IdParam() id: number, @IdParam('log') log: number) {
    return this.logs.redeliver(scope, id, log);
  }
}
