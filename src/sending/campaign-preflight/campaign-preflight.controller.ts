import { Controller, Get } from '@nestjs/common';
import { Summary } from '@outreach/http-api/openapi';
import { Responds } from '@outreach/http-api/responses';
import { RequirePermission } from '@outreach/http-api/routes';
import { Campaign } from '../../campaigns/index.js';
import { LoadRecord } from '../../platform/http/records/index.js';
import { InWorkspace, LoadedRecord } from '../../platform/http/requests/index.js';
import { WaitsForNetwork } from '../../platform/http/shares/index.js';
import { WorkspaceScope } from '../../platform/tenancy/index.js';
import { CampaignPreflight } from './campaign-preflight.service.js';
import { campaignPreflightView } from './campaign-preflight.view.js';

@Controller('v1/campaigns/:id')
export class CampaignPreflightController {
  constructor(private readonly preflight: CampaignPreflight) {}

  /**
   * What would happen if the campaign were started now: whether it can start, who gets its messages, what its email accounts
   * can send, and when it would be finished. Nothing is changed or sent. Domains that were not checked within the last hour are
   * checked, which may take some seconds.
   */
  @Get('preflight')
  @Summary('Check a campaign before its start', 'getCampaignPreflight')
  @RequirePermission('campaigns:read')
  @LoadRecord(Campaign)
  @WaitsForNetwork('lookup')
  @Responds(campaignPreflightView)
  check(@InWorkspace() scope: WorkspaceScope, @LoadedRecord() campaign: Campaign) {
    return this.preflight.run(scope, campaign);
  }
}
