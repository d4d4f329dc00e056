import { Body, Controller, Delete, Get, Post, Query } from '@nestjs/common';
import { LargeResponse, Responds, RespondsNoContent, RespondsPage } from '@outreach/http-api/responses';
import { Summary } from '@outreach/http-api/openapi';
import { IdParam } from '@outreach/http-api/requests';
import { RequirePermission } from '@outreach/http-api/routes';
import { LoadRecord } from '../../platform/http/records/index.js';
import { InWorkspace, LoadedRecord } from '../../platform/http/requests/index.js';
import { WorkspaceScope } from '../../platform/tenancy/index.js';
import { Campaign } from '../campaign/campaign.entity.js';
import { EnrollmentMove } from './enrollment-move.service.js';
import { EnrollmentRecords } from './enrollment-records.service.js';
import { Enrollment } from './enrollment.entity.js';
import { EnrollContactsDto, EnrollFromListsDto } from './dto/enroll.dto.js';
import { MoveEnrollmentDto } from './dto/move-enrollment.dto.js';
import { EnrollmentListQuery } from './dto/enrollment-list.query.js';
import { enrolledView, enrollmentView, skippedView } from './enrollment.view.js';
import { EnrollmentsService } from './enrollments.service.js';

/** `:contact` is the ID of a contact, not of an enrollment. */
@Controller('v1/campaigns/:id/contacts')
export class EnrollmentsController {
  constructor(
    private readonly enrollments: EnrollmentsService,
    private readonly records: EnrollmentRecords,
    private readonly enrollmentMove: EnrollmentMove,
  ) {}

  /** The enrollments of the campaign, each with its contact, its step, and the time of its next message. */
  @Get()
  @Summary('List the enrollments of a campaign', 'listEnrollments')
  @RequirePermission('campaigns:read')
  @LoadRecord(Campaign)
  @LargeResponse({ rowBytes: 262_144 })
  @RespondsPage(enrollmentView)
  list(@InWorkspace() scope: WorkspaceScope, @LoadedRecord() campaign: Campaign, @Query() query: EnrollmentListQuery) {
    return this.records.page(scope, campaign, query);
  }

  /**
   * Enrolls contacts by their IDs. They begin with the first step. If the campaign is active, the first message is
   * sent as soon as it is due. A completed campaign becomes active again.
   */
  @Post()
  @Summary('Enroll contacts', 'enrollContacts')
  @RequirePermission('campaigns:write')
  @LoadRecord(Campaign)
  @Responds(enrolledView, { status: 201 })
  enroll(@InWorkspace() scope: WorkspaceScope, @LoadedRecord() campaign: Campaign, @Body() dto: EnrollContactsDto) {
    return this.enrollments.enrollByIds(scope, campaign.id, dto.contact_ids);
  }

  /**
   * Enrolls all active contacts of lists, and those that match segments at this moment, however many they are. A completed
   * campaign becomes active again.
   */
  @Post('enroll-from-lists')
  @Summary('Enroll the contacts of lists and segments', 'enrollContactsFromLists')
  @RequirePermission('campaigns:write')
  @LoadRecord(Campaign)
  @Responds(enrolledView, { status: 201 })
  enrollFromLists(
    @InWorkspace() scope: WorkspaceScope,
    @LoadedRecord() campaign: Campaign,
    @Body() dto: EnrollFromListsDto,
  ) {
    return this.enrollments.enrollFromGroups(scope, campaign.id, dto);
  }

  /** The enrollment of one contact. */
  @Get(':contact')
  @Summary("Get a contact's enrollment", 'getEnrollment')
  @RequirePermission('campaigns:read')
  @LoadRecord(Campaign)
  @Responds(enrollmentView)
  get(@InWorkspace() scope: WorkspaceScope, @LoadedRecord() campaign: Campaign, @IdParam('contact') contactId: number) {
    return this.records.get(scope, campaign, contactId);
  }

  /** Ends the enrollment and removes it with its messages that were not sent. The contact stays. */
  @Delete(':contact')
  @Summary('Remove a contact from a campaign', 'deleteEnrollment')
  @RequirePermission('campaigns:write')
  @LoadRecord(Campaign)
  @RespondsNoContent()
  remove(@InWorkspace() scope: WorkspaceScope, @IdParam() campaignId: number, @IdParam('contact') contactId: number) {
    return this.enrollments.remove(scope, campaignId, contactId);
  }

  /** The contact goes on with the step after its current one; after the last one it is `completed`. */
  @Post(':contact/skip')
  @Summary("Skip a contact's current step", 'skipEnrollmentStep')
  @RequirePermission('campaigns:write')
  @LoadRecord(Campaign)
  @LoadRecord(Enrollment, 'contact', { column: 'campaign_id', parameter: 'id', key: 'contact_id' })
  @Responds(skippedView)
  skip(@InWorkspace() scope: WorkspaceScope, @IdParam() campaignId: number, @IdParam('contact') contactId: number) {
    return this.enrollments.skip(scope, campaignId, contactId);
  }

  /**
   * The running enrollment continues with a step of this campaign now, also with an earlier one: the delay of the step does
   * not count, but the schedule, the limits and the `only_if` of the step do. The message of another step that is still
   * queued is cancelled. A step that was sent to the contact before is not sent again: the contact goes on with the step
   * after it. 422 with the reason `enrollment_ended` if the enrollment has ended.
   */
  @Post(':contact/move')
  @Summary('Move a contact to a step', 'moveEnrollment')
  @RequirePermission('campaigns:write')
  @LoadRecord(Campaign)
  @LoadRecord(Enrollment, 'contact', { column: 'campaign_id', parameter: 'id', key: 'contact_id' })
  @Responds(enrollmentView)
  move(
    @InWorkspace() scope: WorkspaceScope,
    @LoadedRecord() campaign: Campaign,
    @IdParam('contact') contactId: number,
    @Body() { step_id: stepId }: MoveEnrollmentDto,
  ) {
    return this.enrollmentMove.move(scope, campaign, contactId, stepId);
  }
}
