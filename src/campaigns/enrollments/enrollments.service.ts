import { Injectable } from '@nestjs/common';
import { NotFound } from '@outreach/http-errors';
import { sql } from '../../platform/database/index.js';
import { DomainEvents } from '../../platform/events/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { SegmentMembers } from '../../segments/index.js';
import { CampaignCompletion } from '../campaign/campaign-completion.service.js';
import { stepAfter } from '../steps/step-order.js';
import { stepsInOrder } from '../steps/steps.queries.js';
import { enrollChunk, type EnrolledChunk, lockCampaignForShare } from './enroll.queries.js';
import type { EnrollFromListsDto } from './dto/enroll.dto.js';
import { type EnrollmentSource, listMembers, contactsById, segmentMembers } from './enrollment-source.js';
import type { Enrolled, Skipped } from './enrollment.view.js';
import { FIRST_CURSOR, type CreationCursor } from './creation-cursor.js';
import {
  completeBySkip,
  lockEnrollment,
  recordEnrollmentChange,
  removeEnrollment,
  skipToStep,
} from './enrollments.queries.js';

@Injectable()
export class EnrollmentsService {
  constructor(
    private readonly events: DomainEvents,
    private readonly completion: CampaignCompletion,
    private readonly segments: SegmentMembers,
  ) {}

  /** Enrolls contacts by ID. @throws NotFound if the campaign is deleted in the meantime */
  enrollByIds(scope: WorkspaceScope, campaignId: number, contactIds: readonly number[]): Promise<Enrolled> {
    return this.enroll(scope, campaignId, [contactsById(scope, contactIds)], (work) => scope.transaction(work));
  }

  /**
   * Enrolls the contacts of lists and segments.
   * @throws NotFound if the campaign is deleted in the meantime; SegmentTooExpensive, TooManyRequests
   */
  async enrollFromGroups(
    scope: WorkspaceScope,
    campaignId: number,
    { list_ids: listIds, segment_ids: segmentIds }: EnrollFromListsDto,
  ): Promise<Enrolled> {
    const lists = listMembers(scope, listIds);
    const conditions = await this.segments.conditions(scope, segmentIds);
    if (conditions.length === 0) {
      const unlimited = scope.withoutStatementLimit();
      return this.enroll(scope, campaignId, [lists], (work) => unlimited.transaction(work));
    }
    const sources = [lists, ...conditions.map((condition) => segmentMembers(scope, condition))];
    return this.enroll(scope, campaignId, sources, (work) => this.segments.within(scope, work));
  }

  /**
   * Enrolls all contacts of the sources, in chunks that are committed one by one, so that their locks are short. If a call
   * is aborted, some contacts are enrolled, and repeating it enrolls the rest.
   */
  private async enroll(
    scope: WorkspaceScope,
    campaignId: number,
    sources: readonly EnrollmentSource[],
    inTransaction: (work: (tx: WorkspaceScope) => Promise<EnrolledChunk>) => Promise<EnrolledChunk>,
  ): Promise<Enrolled> {
    const total = { enrolled: 0, skipped: 0 };
    let cursor: CreationCursor | undefined = FIRST_CURSOR;
    while (cursor) {
      await scope.commitChunk();
      const current: CreationCursor = cursor;
      const chunk: EnrolledChunk = await inTransaction((tx) => this.enrollNextChunk(tx, campaignId, sources, current));
      total.enrolled += chunk.enrolled;
      total.skipped += chunk.skipped;
      cursor = chunk.next;
    }
    return total;
  }

  /** Removes a contact from a campaign. @throws NotFound if it is not enrolled */
  async remove(scope: WorkspaceScope, campaignId: number, contactId: number): Promise<void> {
    await scope.transaction(async (tx) => {
      const { id } = await lockEnrollment(tx, campaignId, contactId);
      await this.events.publish(tx, 'enrollments.removed', { enrollments: sql`SELECT ${id}::bigint` });
      await removeEnrollment(tx, campaignId, contactId);
    });
    await this.completion.completeIfDone(scope, [campaignId]);
  }

  /**
   * Moves an enrollment in any state to the next step; after the last step it is completed.
   * @throws NotFound if the contact is not enrolled
   */
  async skip(scope: WorkspaceScope, campaignId: number, contactId: number): Promise<Skipped> {
    const skipped = await scope.transaction((tx) => this.skipStep(tx, campaignId, contactId));
    if (skipped.status === 'completed')
      await scope.runAfterCommit(() => this.completion.completeIfDone(scope, [campaignId]));
    return skipped;
  }

  private async enrollNextChunk(
    scope: WorkspaceScope,
    id: number,
    sources: readonly EnrollmentSource[],
    cursor: CreationCursor,
  ): Promise<EnrolledChunk> {
    const campaign = await lockCampaignForShare(scope, id);
    if (!campaign) throw new NotFound('Campaign');
    const chunk = await enrollChunk(scope, campaign, sources, cursor);
    if (chunk.enrolled > 0) await this.completion.noteWork(scope, campaign);
    return chunk;
  }

  private async skipStep(scope: WorkspaceScope, campaignId: number, contactId: number): Promise<Skipped> {
    const campaign = await lockCampaignForShare(scope, campaignId);
    const { id, current_step_id: stepId } = await lockEnrollment(scope, campaignId, contactId);
    const next = stepAfter(await stepsInOrder(scope, campaignId), stepId);
    if (next) await skipToStep(scope, id, next);
    else await completeBySkip(scope, id);
    await recordEnrollmentChange(scope, id, { kind: 'skipped', stepId });
    await this.events.publish(scope, 'enrollments.skipped', { enrollments: sql`SELECT ${id}::bigint` });
    if (next && campaign) await this.completion.noteWork(scope, campaign);
    return next ? { status: null, current_step_id: next.id } : { status: 'completed', current_step_id: null };
  }
}
