import { Body, Controller, Post } from '@nestjs/common';
import { Summary } from '@outreach/http-api/openapi';
import { Responds } from '@outreach/http-api/responses';
import { RequirePermission } from '@outreach/http-api/routes';
import { LoadRecord } from '../../platform/http/records/index.js';
import { InWorkspace, LoadedRecord } from '../../platform/http/requests/index.js';
import { WorkspaceScope } from '../../platform/tenancy/index.js';
import { RedeliverWebhookDto } from '../dto/redeliver-webhook.dto.js';
import { Webhook } from '../webhook.entity.js';
import { redeliveriesView } from './log.view.js';
import { WebhookLogs } from './webhook-logs.service.js';

@Controller('v1/webhooks/:id/redeliver')
export class RedeliveryController {
  constructor(private readonly logs: WebhookLogs) {}

  /**
   * Sends what was attempted in a range of time again, also to an inactive webhook: each delivery once, by its last attempt, with
   * the same body, as a new delivery. One that waits for its next attempt is attempted now instead. At most 10,000 deliveries;
   * a range with more is 422 on `to`. Tests are left out.
   */
  @Post()
  @Summary('Send the deliveries of a range of time again', 'redeliverWebhookLogs')
  @RequirePermission('webhooks:write')
  @LoadRecord(Webhook)
  @Responds(redeliveriesView, { status: 202 })
  redeliver(@InWorkspace() scope: WorkspaceScope, @LoadedRecord() webhook: Webhook, @Body() dto: RedeliverWebhookDto) {
    return this.logs.redeliverRange(scope, webhook.id, dto);
  }
}
