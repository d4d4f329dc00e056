import type { Schedule } from '@outreach/time-windows';
import { Injectable } from '@nestjs/common';
import { Conflict, defineReason } from '@outreach/http-errors';
import { sql } from '../platform/database/index.js';
import { DomainEvents } from '../platform/events/index.js';
import { WorkspaceLimits } from '../platform/limits/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import { requestPasses } from './auto-enrollment/auto-enroll-passes.queries.js';
import { type AutoEnroll, replaceAutoEnroll } from './auto-enrollment/auto-enroll-sources.queries.js';
import { CampaignCompletion } from './campaign/campaign-completion.service.js';
import { Campaign } from './campaign/campaign.entity.js';
import type { CampaignRecord } from './campaign.view.js';
import { campaignRecords, lockCampaignLimits, planNewContactsNow, replaceAccounts } from './campaigns.queries.js';
import type { ScheduleDto } from './dto/schedule.dto.js';
import type { CreateCampaignDto } from './dto/create-campaign.dto.js';
import type { UpdateCampaignDto } from './dto/update-campaign.dto.js';
import { CampaignDeletion } from './deletion/campaign-deletion.js';
import { markDeleted } from './deletion/campaign-deletion.queries.js';
import { FIRST_CURSOR } from './enrollments/creation-cursor.js';
import { CampaignProtection } from './protection/campaign-protection.service.js';
import { duePostponedSteps } from './steps/waiting-enrollments.queries.js';
import { StepsService } from './steps/steps.service.js';

const CAMPAIGN_ACTIVE = defineReason('campaign_active', 409, 'An active campaign cannot be deleted. Pause it first.');

class ActiveCampaignDeleted extends Conflict {
  constructor() {
    super(CAMPAIGN_ACTIVE, 'An active campaign cannot be deleted. Pause it first.');
  }
}

@Injectable()
export class CampaignsService {
  constructor(
    private readonly steps: StepsService,
    private readonly events: DomainEvents,
    private readonly limits: WorkspaceLimits,
    private readonly protection: CampaignProtection,
    private readonly deletion: CampaignDeletion,
    private readonly completion: CampaignCompletion,
  ) {}

  /** @throws LimitReached */
  async create(scope: WorkspaceScope, dto: CreateCampaignDto): Promise<CampaignRecord> {
    return scope.transaction(async (tx) => {
      const { track_opens = null, track_clicks = null } = dto;
      const tracking = trackingOf(tx, { track_opens, track_clicks });
      const { id } = await tx.of(Campaign).insert({ ...columns(dto), ...tracking });
      await replaceAccounts(tx, id, dto.email_account_ids ?? []);
      if (dto.auto_enroll) await replaceAutoEnroll(tx, id, dto.auto_enroll);
      await this.steps.createAll(tx, id, dto.steps ?? []);
      const campaigns = sql`SELECT 1 FROM campaigns WHERE workspace_id = ${tx} AND deleted_at IS NULL`;
      await this.limits.check(tx, 'campaigns', campaigns);
      return campaignRecords(tx).get(id);
    });
  }

  async update(scope: WorkspaceScope, { id }: Campaign, dto: UpdateCampaignDto): Promise<CampaignRecord> {
    return scope.withoutStatementLimit().transaction(async (tx) => {
      const before = await this.lockForLimits(tx, id, dto);
      await tx.of(Campaign).update(id, { ...columns(dto), ...trackingOf(tx, dto) });
      if (dto.email_account_ids) await replaceAccounts(tx, id, dto.email_account_ids);
      if (dto.auto_enroll !== undefined) await this.changeAutoEnroll(tx, id, dto.auto_enroll);
      if (dto.schedule !== undefined || dto.min_days_since_last_message !== undefined) await this.reschedule(tx, id);
      if (before) await this.changeNewContacts(tx, before);
      if (hasRate(dto)) await this.protection.compare(tx, [id]);
      return campaignRecords(tx).get(id);
    });
  }

  private async changeAutoEnroll(tx: WorkspaceScope, id: number, autoEnroll: AutoEnroll | null): Promise<void> {
    await replaceAutoEnroll(tx, id, autoEnroll);
    await this.completion.reopen(tx, [id]);
    await requestPasses(tx, sql`SELECT ${id}::bigint`);
  }

  private async reschedule(tx: WorkspaceScope, id: number): Promise<void> {
    await duePostponedSteps(tx, sql`due.campaign_id = ${id}`);
    await this.events.publish(tx, 'campaign.rescheduled', { campaign_id: id });
    await this.events.publish(tx, 'enrollments.due', { campaign_id: id });
  }

  /** Returns the campaign before an update that may change how many new contacts it writes to on a day. */
  private async lockForLimits(
    tx: WorkspaceScope,
    id: number,
    dto: UpdateCampaignDto,
  ): Promise<Pick<Campaign, 'id' | 'max_new_contacts_per_day'> | undefined> {
    const isAffected = dto.max_new_contacts_per_day !== undefined || dto.schedule !== undefined;
    return isAffected ? lockCampaignLimits(tx, id) : undefined;
  }

  private async changeNewContacts(
    tx: WorkspaceScope,
    { id, max_new_contacts_per_day: max }: Pick<Campaign, 'id' | 'max_new_contacts_per_day'>,
  ): Promise<void> {
    const { max_new_contacts_per_day: newMax, status } = await planNewContactsNow(tx, id);
    if (max === null && newMax === null) return;
    const change = { campaign_id: id, had_limit: max !== null, has_limit: newMax !== null };
    await this.events.publish(tx, 'campaign.new_contacts_changed', change);
    if (status === 'active') await this.events.publish(tx, 'enrollments.due', { campaign_id: id });
  }

  /**
   * Deletes a campaign with its steps, enrollments and messages. If that is too much for one transaction, it does not exist
   * for users any more, and workers delete the rest.
   * @throws NotFound, ActiveCampaignDeleted
   */
  async delete(scope: WorkspaceScope, id: number): Promise<void> {
    await scope.withoutStatementLimit().transaction(async (tx) => {
      const campaign = await tx.of(Campaign).lock(id);
      if (campaign.status === 'active') throw new ActiveCampaignDeleted();
      await markDeleted(tx, id);
      await this.deletion.deleteChunk(tx, id, FIRST_CURSOR);
    });
  }
}

const hasRate = (dto: UpdateCampaignDto): boolean =>
  typeof dto.stop_at_bounce_rate === 'number' || typeof dto.stop_at_complaint_rate === 'number';

type Tracking = Pick<UpdateCampaignDto, 'track_opens' | 'track_clicks'>;

/** What a campaign measures, by the input; null is the setting of the workspace. */
const trackingOf = (scope: WorkspaceScope, { track_opens: opens, track_clicks: clicks }: Tracking) => ({
  track_opens: opens === null ? sql`(SELECT track_opens FROM workspaces WHERE id = ${scope})` : opens,
  track_clicks: clicks === null ? sql`(SELECT track_clicks FROM workspaces WHERE id = ${scope})` : clicks,
});

const columns = (dto: CreateCampaignDto | UpdateCampaignDto) => ({
  name: dto.name,
  description: dto.description,
  schedule: dto.schedule && scheduleOf(dto.schedule),
  stop_on_reply: dto.stop_on_reply,
  unsubscribe_footer: dto.unsubscribe_footer,
  language: dto.language,
  skip_running_elsewhere: dto.skip_running_elsewhere,
  stop_company_on_reply: dto.stop_company_on_reply,
  on_unknown: dto.on_unknown,
  stop_at_bounce_rate: dto.stop_at_bounce_rate,
  stop_at_complaint_rate: dto.stop_at_complaint_rate,
  max_new_contacts_per_day: dto.max_new_contacts_per_day,
  min_days_since_last_message: dto.min_days_since_last_message,
});

/** Drops unknown properties that the client sent. */
const scheduleOf = ({ timezone, days, start, end, holidays, contact_timezone }: ScheduleDto): Schedule => ({
  timezone,
  days,
  start,
  end,
  holidays,
  contact_timezone,
});
