import { Body, Controller, Post } from '@nestjs/common';
import { Summary } from '@outreach/http-api/openapi';
import { Responds } from '@outreach/http-api/responses';
import { RequirePermission, ReservesIdempotencyKey } from '@outreach/http-api/routes';
import { Campaign, Step } from '../../campaigns/index.js';
import { LoadRecord } from '../../platform/http/records/index.js';
import { InWorkspace, LoadedRecord } from '../../platform/http/requests/index.js';
import { WaitsForNetwork } from '../../platform/http/shares/index.js';
import { WorkspaceScope } from '../../platform/tenancy/index.js';
import { SendTestDto } from './send-test.dto.js';
import { testSendView } from './test-send.view.js';
import { TestSends } from './test-sends.service.js';

/** Longer than a token, the login, the message and waiting for a place take together. */
const RESERVATION_SECONDS = 120;

@Controller('v1/campaigns/:id/steps/:step/test-send')
export class TestSendsController {
  constructor(private readonly testSends: TestSends) {}

  /**
   * Sends the step to one address at once, also in a campaign that is not active, from the first email account of the
   * campaign that may send now. The message counts in the limits of the account. It belongs to no enrollment: it is not
   * listed, nothing of it is measured, and its unsubscribe link is a sample. 200 with `success: false` if the mail server
   * refuses it or does not reply within 30 seconds. 422 with a reason: `unsubscribed`, `bounced` or `complained` if that is
   * what the person with the address has done, `blacklisted`, `no_account`, or the limit that the accounts have reached.
   */
  @Post()
  @Summary('Send a step to a test address', 'sendTestMessage')
  @RequirePermission('campaigns:write')
  @WaitsForNetwork('connection')
  @ReservesIdempotencyKey(RESERVATION_SECONDS)
  @LoadRecord(Campaign)
  @LoadRecord(Step, 'step', { column: 'campaign_id', parameter: 'id' })
  @Responds(testSendView)
  send(
    @InWorkspace() scope: WorkspaceScope,
    @LoadedRecord() campaign: Campaign,
    @LoadedRecord('step') step: Step,
    @Body() dto: SendTestDto,
  ) {
    return this.testSends.send(scope, campaign, step, dto);
  }
}
