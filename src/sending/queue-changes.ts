import { Injectable } from '@nestjs/common';
import type {
  CampaignEvent,
  CampaignsEvent,
  EnrollmentsEnded,
  EnrollmentsEvent,
  EnrollmentsAtStep,
  NewContactsChanged,
  StepEvent,
} from '../campaigns/index.js';
import type { ContactsEvent } from '../contacts/index.js';
import type { EmailAccountEvent } from '../email-accounts/index.js';
import { sql } from '../platform/database/index.js';
import { OnDomainEvent } from '../platform/events/index.js';
import { JobQueue } from '../platform/queue/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import { OUT_OF_OFFICE } from './absences/index.js';
import { RECENT_MESSAGE } from './last-messages.queries.js';
import { MAX_NEW_CONTACTS_REASON, recountNewContacts, reserveAgain, revokeReservations } from './new-contacts/index.js';
import {
  cancelForMove,
  detachAccount,
  detachStep,
  drawAgain,
  makeDue,
  pauseQueued,
  rescheduleClosed,
} from './queue-changes.queries.js';
import { PLANNING, SENDING } from './queues.js';
import { releaseOfStep } from './required-variables.queries.js';
import { cancelQueued, deleteQueued, TEMPORARY_FAILURE } from './results/index.js';

/** Adapts queued messages to changes of campaigns, enrollments, steps and email accounts, in the same transaction. */
@Injectable()
export class QueueChanges {
  constructor(private readonly jobQueue: JobQueue) {}

  @OnDomainEvent('campaign.paused')
  paused(scope: WorkspaceScope, { campaigns }: CampaignsEvent): Promise<void> {
    return pauseQueued(scope, campaigns);
  }

  @OnDomainEvent('campaign.started')
  async started(scope: WorkspaceScope, { campaigns }: CampaignsEvent): Promise<void> {
    this.enqueueSenders(scope, await makeDue(scope, sql`message.campaign_id IN (${campaigns})`, ['paused']));
  }

  @OnDomainEvent('campaign.rescheduled')
  async rescheduled(scope: WorkspaceScope, { campaign_id: id }: CampaignEvent): Promise<void> {
    const which = sql`message.campaign_id = ${id}`;
    this.enqueueSenders(scope, await rescheduleClosed(scope, which));
    this.enqueueSenders(scope, await makeDue(scope, which, [OUT_OF_OFFICE, RECENT_MESSAGE]));
  }

  @OnDomainEvent('contact.timezone_changed')
  async zoneChanged(scope: WorkspaceScope, { contacts }: ContactsEvent): Promise<void> {
    const which = sql`message.enrollment_id IN (
      SELECT enrollment.id FROM enrollments enrollment
      JOIN campaigns campaign ON campaign.workspace_id = ${scope} AND campaign.id = enrollment.campaign_id
      WHERE enrollment.workspace_id = ${scope} AND enrollment.contact_id IN (${contacts})
        AND campaign.schedule @> '{"contact_timezone": true}')`;
    this.enqueueSenders(scope, await rescheduleClosed(scope, which));
  }

  @OnDomainEvent('campaign.new_contacts_changed')
  async newContactsChanged(scope: WorkspaceScope, change: NewContactsChanged): Promise<void> {
    const { campaign_id: id, has_limit: hasLimit, had_limit: hadLimit } = change;
    if (hasLimit) {
      const revoked = await revokeReservations(scope, id);
      if (!hadLimit) await recountNewContacts(scope, id);
      await reserveAgain(scope, id, revoked);
    }
    this.enqueueSenders(scope, await makeDue(scope, sql`message.campaign_id = ${id}`, [MAX_NEW_CONTACTS_REASON]));
  }

  @OnDomainEvent('enrollments.due')
  async due(scope: WorkspaceScope, { campaign_id: id }: CampaignEvent): Promise<void> {
    scope.afterCommit(() => this.jobQueue.enqueue(PLANNING, [{ workspace_id: scope.workspace_id, id }]));
  }

  @OnDomainEvent('enrollments.ending')
  ending(scope: WorkspaceScope, event: EnrollmentsEnded): Promise<void> {
    return this.ended(scope, event);
  }

  @OnDomainEvent('enrollments.ended')
  ended(scope: WorkspaceScope, { enrollments, reason }: EnrollmentsEnded): Promise<void> {
    // Who has replied gets the answers to that, who has unsubscribed gets nothing.
    const which = reason === 'replied' ? sql`message.reply_id IS NULL` : sql`TRUE`;
    return cancelQueued(scope, sql`message.enrollment_id IN (${enrollments}) AND ${which}`, reason);
  }

  @OnDomainEvent('enrollments.skipped')
  skipped(scope: WorkspaceScope, { enrollments }: EnrollmentsEvent): Promise<void> {
    return cancelQueued(scope, sql`message.enrollment_id IN (${enrollments}) AND message.reply_id IS NULL`, 'skipped');
  }

  @OnDomainEvent('enrollments.removed')
  removed(scope: WorkspaceScope, { enrollments }: EnrollmentsEvent): Promise<void> {
    return deleteQueued(scope, sql`message.enrollment_id IN (${enrollments})`);
  }

  /** Published before the contacts are deleted, with their enrollments and messages. */
  @OnDomainEvent('contact.deleted')
  contactsDeleted(scope: WorkspaceScope, { contacts }: ContactsEvent): Promise<void> {
    const enrollments = sql`SELECT id FROM enrollments WHERE workspace_id = ${scope} AND contact_id IN (${contacts})`;
    return deleteQueued(scope, sql`message.enrollment_id IN (${enrollments})`);
  }

  @OnDomainEvent('enrollments.moved')
  continueAtStep(scope: WorkspaceScope, { enrollments, step_id: id }: EnrollmentsAtStep): Promise<void> {
    return cancelForMove(scope, enrollments, id);
  }

  @OnDomainEvent('step.deleted')
  stepDeleted(scope: WorkspaceScope, { step_id: id }: StepEvent): Promise<void> {
    return detachStep(scope, id);
  }

  @OnDomainEvent('step.requirements_changed')
  async requirementsChanged(scope: WorkspaceScope, { step_id: id }: StepEvent): Promise<void> {
    this.enqueueSenders(scope, await releaseOfStep(scope, id));
  }

  /** Messages whose variants are gone, or that have none yet, draw one. What is claimed is sent as it was. */
  @OnDomainEvent('step.variants_changed')
  variantsChanged(scope: WorkspaceScope, { step_id: id }: StepEvent): Promise<void> {
    return drawAgain(scope, id);
  }

  @OnDomainEvent('email_account.updated')
  async accountUpdated(scope: WorkspaceScope, { email_account_id: id }: EmailAccountEvent): Promise<void> {
    const reasons = ['account_inactive', 'daily_limit'];
    this.enqueueSenders(scope, await makeDue(scope, sql`message.email_account_id = ${id}`, reasons));
  }

  /** What the server of a recipient has deferred waits as before. */
  @OnDomainEvent('email_account.reachable')
  async accountReachable(scope: WorkspaceScope, { email_account_id: id }: EmailAccountEvent): Promise<void> {
    const which = sql`message.email_account_id = ${id} AND message.waits_for_provider`;
    this.enqueueSenders(scope, await makeDue(scope, which, [TEMPORARY_FAILURE]));
  }

  @OnDomainEvent('email_account.deleted')
  accountDeleted(scope: WorkspaceScope, { email_account_id: id }: EmailAccountEvent): Promise<void> {
    return detachAccount(scope, id);
  }

  private enqueueSenders(scope: WorkspaceScope, accounts: readonly { email_account_id: number }[]): void {
    const keys = accounts.map(({ email_account_id: id }) => ({ workspace_id: scope.workspace_id, id }));
    scope.afterCommit(() => this.jobQueue.enqueue(SENDING, keys));
  }
}
