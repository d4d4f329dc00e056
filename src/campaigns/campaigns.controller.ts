import { Body, Controller, Delete, Get, Post, Put, Query } from '@nestjs/common';
import { LargeResponse, Responds, RespondsNoContent, RespondsPage } from '@outreach/http-api/responses';
import { Summary } from '@outreach/http-api/openapi';
import { IdParam } from '@outreach/http-api/requests';
import { RequirePermission } from '@outreach/http-api/routes';
import { LoadRecord } from '../platform/http/records/index.js';
import { InWorkspace, LoadedRecord } from '../platform/http/requests/index.js';
import { WorkspaceScope } from '../platform/tenancy/index.js';
import { CampaignTransitions } from './campaign-transitions.service.js';
import { Campaign } from './campaign/campaign.entity.js';
import { campaignView } from './campaign.view.js';
import { campaignRecords } from './campaigns.queries.js';
import { CampaignsService } from './campaigns.service.js';
import { CampaignListQuery } from './dto/campaign-list.query.js';
import { CreateCampaignDto } from './dto/create-campaign.dto.js';
import { UpdateCampaignDto } from './dto/update-campaign.dto.js';

@Controller('v1/campaigns')
export class CampaignsController {
  constructor(
    private readonly campaigns: CampaignsService,
    private readonly transitions: CampaignTransitions,
  ) {}

  /** The campaigns of the workspace. */
  @Get()
  @RequirePermission('campaigns:read')
  @LargeResponse({ rowBytes: 32_768 })
  @RespondsPage(campaignView)
  list(@InWorkspace() scope: WorkspaceScope, @Query() query: CampaignListQuery) {
    return campaignRecords(scope).page(query);
  }

  /** Creates a campaign as a draft, with its steps if the body has them. Nothing is sent before it is started. */
  @Post()
  @RequirePermission('campaigns:write')
  @Responds(campaignView, { status: 201 })
  create(@InWorkspace() scope: WorkspaceScope, @Body() dto: CreateCampaignDto) {
    return this.campaigns.create(scope, dto);
  }

  /** One campaign with its numbers of steps and contacts. */
  @Get(':id')
  @RequirePermission('campaigns:read')
  @Responds(campaignView)
  get(@InWorkspace() scope: WorkspaceScope, @IdParam() id: number) {
    return campaignRecords(scope).get(id);
  }

  /** Changes the fields that the body names, at any time. Steps have operations of their own. */
  @Put(':id')
  @RequirePermission('campaigns:write')
  @LoadRecord(Campaign)
  @Responds(campaignView)
  update(@InWorkspace() scope: WorkspaceScope, @LoadedRecord() campaign: Campaign, @Body() dto: UpdateCampaignDto) {
    return this.campaigns.update(scope, campaign, dto);
  }

  /**
   * Deletes the campaign with its enrollments and messages. 409 if it is active: pause it first. The campaign is gone with the
   * response; if it has more than a thousand contacts, what has happened to them is deleted within minutes.
   */
  @Delete(':id')
  @RequirePermission('campaigns:write')
  @RespondsNoContent()
  delete(@InWorkspace() scope: WorkspaceScope, @IdParam() id: number) {
    return this.campaigns.delete(scope, id);
  }

  /**
   * Starts a draft, or resumes a paused or completed campaign: what is due is sent, within the schedule and the daily
   * limits. 422 without a step, or without an active email account; 409 if it is active.
   */
  @Post(':id/start')
  @Summary('Start or resume a campaign')
  @RequirePermission('campaigns:write')
  @LoadRecord(Campaign)
  @Responds(campaignView)
  start(@InWorkspace() scope: WorkspaceScope, @IdParam() id: number) {
    return this.transitions.start(scope, id);
  }

  /**
   * Stops sending: nothing is given to a mail server later than a second after the response. A completed campaign that is
   * paused does not become active by itself when contacts are enrolled. 409 for a draft, and if it is paused already.
   */
  @Post(':id/pause')
  @Summary('Pause a campaign')
  @RequirePermission('campaigns:write')
  @LoadRecord(Campaign)
  @Responds(campaignView)
  pause(@InWorkspace() scope: WorkspaceScope, @IdParam() id: number) {
    return this.transitions.pause(scope, id);
  }
}
