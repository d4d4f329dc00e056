import { Injectable } from '@nestjs/common';
import { sql } from '../../platform/database/index.js';
import { OnDomainEvent } from '../../platform/events/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { type SegmentEvent, SegmentMembers } from '../../segments/index.js';
import { CampaignCompletion } from '../campaign/campaign-completion.service.js';
import type { CampaignsEvent } from '../campaigns.events.js';
import { FIRST_CURSOR } from '../enrollments/creation-cursor.js';
import { enrollChunk, lockCampaignForShare } from '../enrollments/enroll.queries.js';
import { deleteRemoved } from '../enrollments/enrollments.queries.js';
import { allContacts, contactsNotRemoved, listMembers } from '../enrollments/enrollment-source.js';
import { advancePass, endPass, nextPass, type Pass, requestPasses } from './auto-enroll-passes.queries.js';
import { type AutoEnrollingCampaign, autoEnrollingCampaigns } from './auto-enroll-sources.queries.js';
import { candidatesAmong, isListed, readChunk } from './candidates.queries.js';
import { deleteChanges, discardChanges, lastOverflow, nextChanges, noteExamined } from './changed-contacts.queries.js';

/** Enrolls the members of lists and segments in the active campaigns of a workspace that name them (ADR 57). */
@Injectable()
export class AutoEnrollment {
  constructor(
    private readonly completion: CampaignCompletion,
    private readonly segments: SegmentMembers,
  ) {}

  /** Members that have come while a campaign was not active are enrolled by its first pass. */
  @OnDomainEvent('campaign.started')
  async readAll(scope: WorkspaceScope, { campaigns }: CampaignsEvent): Promise<void> {
    await requestPasses(scope, campaigns);
  }

  @OnDomainEvent('segment.conditions_changed')
  async readAgain(scope: WorkspaceScope, { segment_id: id }: SegmentEvent): Promise<void> {
    const using = sql`SELECT source.campaign_id FROM auto_enroll_sources source
      WHERE source.workspace_id = ${scope} AND source.segment_id = ${id}`;
    await requestPasses(scope, using);
  }

  /**
   * Enrolls those of the next changed contacts that are members now. The changes are deleted after all campaigns have
   * examined them: if the worker dies before, another one repeats the batch, and enrolls no contact twice.
   * @param after the last change of the batch before, 0 for the first one
   * @param isTimeOver asked after each campaign. If it is, the next call goes on with the next campaign
   * @returns the last change; undefined if no others wait
   */
  async enrollChanged(scope: WorkspaceScope, after: number, isTimeOver: () => boolean): Promise<number | undefined> {
    if (await this.discardTooMany(scope)) return after;
    const batch = await nextChanges(scope, after);
    if (!batch) return undefined;
    const { ids, contactIds, examinedCampaignId, next } = batch;
    const campaigns = await autoEnrollingCampaigns(scope, examinedCampaignId);
    for (const campaign of campaigns) {
      await this.enrollMembers(scope, campaign, contactIds);
      if (campaign === campaigns.at(-1) || !isTimeOver()) continue;
      // A campaign with a smaller ID that starts meanwhile reads all members by itself.
      await noteExamined(scope, ids, campaign.id);
      return after;
    }
    await deleteChanges(scope, ids);
    return next;
  }

  /** Reads the next members of a campaign that has just started or was changed. @returns whether there was one */
  async readNextChunk(scope: WorkspaceScope): Promise<boolean> {
    const pass = await nextPass(scope);
    if (!pass) return false;
    const listId = pass.campaign.list_ids[pass.listIndex];
    const hasSegments = pass.listIndex === pass.campaign.list_ids.length && pass.campaign.segment_ids.length > 0;
    if (listId === undefined && !hasSegments) await endPass(scope, pass);
    else await this.readOn(scope, pass, listId);
    return true;
  }

  /** @param listId undefined: contacts are read for the segments */
  private async readOn(scope: WorkspaceScope, pass: Pass, listId: number | undefined): Promise<void> {
    const source = listId === undefined ? allContacts(scope) : listMembers(scope, [listId]);
    const { contactIds, next } = await readChunk(scope, source, pass.cursor);
    await this.enrollMembers(scope, pass.campaign, contactIds);
    await advancePass(scope, pass, next);
  }

  private async enrollMembers(
    scope: WorkspaceScope,
    campaign: AutoEnrollingCampaign,
    contactIds: readonly number[],
  ): Promise<void> {
    if (contactIds.length === 0) return;
    const lookups = await this.segments.lookups(scope, campaign.segment_ids);
    const isMember = sql.any([isListed(scope, campaign.list_ids), ...lookups.values()]);
    const found = await scope.query<{ id: number }>(candidatesAmong(scope, campaign.id, contactIds, isMember));
    const candidates = found.map(({ id }) => id);
    if (candidates.length > 0) await scope.transaction((tx) => this.enroll(tx, campaign.id, candidates));
  }

  private async enroll(tx: WorkspaceScope, campaignId: number, contactIds: readonly number[]): Promise<void> {
    const campaign = await lockCampaignForShare(tx, campaignId);
    if (campaign?.status !== 'active') return;
    const source = contactsNotRemoved(tx, campaignId, contactIds);
    const { enrolled } = await enrollChunk(tx, campaign, [source], FIRST_CURSOR);
    if (enrolled === 0) return;
    await deleteRemoved(tx, campaignId, contactIds);
    await this.completion.noteWork(tx, campaign);
  }

  /** Reads all members instead of changes that are too many. @returns whether there were any */
  private async discardTooMany(scope: WorkspaceScope): Promise<boolean> {
    const last = await lastOverflow(scope);
    if (last === undefined) return false;
    await requestPasses(scope, sql`SELECT id FROM campaigns WHERE workspace_id = ${scope}`);
    while (await discardChanges(scope, last));
    return true;
  }
}
