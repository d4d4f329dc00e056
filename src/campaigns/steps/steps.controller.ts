import { Body, Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { arrayView, LargeResponse, Responds, RespondsNoContent } from '@outreach/http-api/responses';
import { Summary } from '@outreach/http-api/openapi';
import { RequirePermission } from '@outreach/http-api/routes';
import { LoadRecord } from '../../platform/http/records/index.js';
import { InWorkspace, LoadedRecord } from '../../platform/http/requests/index.js';
import { WorkspaceScope } from '../../platform/tenancy/index.js';
import { Campaign } from '../campaign/campaign.entity.js';
import { CreateStepDto } from './dto/create-step.dto.js';
import { UpdateStepDto } from './dto/update-step.dto.js';
import { Step } from './step.entity.js';
import { stepView } from './step.view.js';
import { stepRecords } from './step-variants.queries.js';
import { stepRecordsInOrder } from './steps.queries.js';
import { StepsService } from './steps.service.js';

/** A body, five variants of it, and the other fields. */
const STEP_BYTES = 1_600_000;
const ofCampaign = { column: 'campaign_id', parameter: 'id' };

@Controller('v1/campaigns/:id/steps')
export class StepsController {
  constructor(private readonly steps: StepsService) {}

  /** All steps in their order. The list has no pages. */
  @Get()
  @Summary('List the steps of a campaign in order')
  @RequirePermission('campaigns:read')
  @LoadRecord(Campaign)
  @LargeResponse({ rowBytes: STEP_BYTES, rows: 100 })
  @Responds(arrayView(stepView))
  list(@InWorkspace() scope: WorkspaceScope, @LoadedRecord() campaign: Campaign) {
    return stepRecordsInOrder(scope, campaign.id);
  }

  /** One step of the campaign. */
  @Get(':step')
  @RequirePermission('campaigns:read')
  @LoadRecord(Campaign)
  @LoadRecord(Step, 'step', ofCampaign)
  @Responds(stepView)
  get(@InWorkspace() scope: WorkspaceScope, @LoadedRecord('step') { id }: Step) {
    return stepRecords(scope).get(id);
  }

  /** Adds a step, at the end or at `position`. */
  @Post()
  @Summary('Add a step to a campaign')
  @RequirePermission('campaigns:write')
  @LoadRecord(Campaign)
  @Responds(stepView, { status: 201 })
  create(@InWorkspace() scope: WorkspaceScope, @LoadedRecord() campaign: Campaign, @Body() dto: CreateStepDto) {
    return this.steps.create(scope, campaign, dto);
  }

  /**
   * Changes the fields that the body names. A new `position` moves the step. Messages that were sent stay as they
   * were.
   */
  @Put(':step')
  @RequirePermission('campaigns:write')
  @LoadRecord(Campaign)
  @LoadRecord(Step, 'step', ofCampaign)
  @Responds(stepView)
  update(@InWorkspace() scope: WorkspaceScope, @LoadedRecord('step') step: Step, @Body() dto: UpdateStepDto) {
    return this.steps.update(scope, step, dto);
  }

  /** Deletes the step. Contacts that wait for it go on with the next one. */
  @Delete(':step')
  @RequirePermission('campaigns:write')
  @LoadRecord(Campaign)
  @LoadRecord(Step, 'step', ofCampaign)
  @RespondsNoContent()
  delete(@InWorkspace() scope: WorkspaceScope, @LoadedRecord('step') step: Step) {
    return this.steps.delete(scope, step);
  }
}
