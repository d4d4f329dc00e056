import { Injectable } from '@nestjs/common';
import { JobQueue } from '@outreach/job-queue';
import type {
  CampaignEvent,
  EnrollmentsEnded,
  EnrollmentsEvent,
  EnrollmentsAtStep,
  StepEvent,
} from '../campaigns/index.js';
import type { ContactsEvent } from '../contacts/index.js';
import type { EmailAccountEvent } from '../email-accounts/index.js';
import { sql } from '../platform/database/index.js';
import { OnDomainEvent } from '../platform/events/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import { cancelForMove, detachAccount, detachStep, drawAgain } from './queue-changes.queries.js';
import { PLANNING } from './queues.js';
import { cancelQueued, deleteQueued } from './results/index.js';

/**
 * Adapts queued messages to what happens to enrollments, steps and email accounts, in the same transaction. What waits is
 * adapted by the rules for which it waits.
 */
@Injectable()
export class QueueChanges {
  constructor(private readonly jobQueue: JobQueue) {}

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
    return cancelQueued(scope, sql`${sql.among(sql`message.enrollment_id`, enrollments)} AND ${which}`, reason);
  }

  @OnDomainEvent('enrollments.skipped')
  skipped(scope: WorkspaceScope, { enrollments }: EnrollmentsEvent): Promise<void> {
    return cancelQueued(
      scope,
      sql`${sql.among(sql`message.enrollment_id`, enrollments)} AND message.reply_id IS NULL`,
      'skipped',
    );
  }

  @OnDomainEvent('enrollments.removed')
  removed(scope: WorkspaceScope, { enrollments }: EnrollmentsEvent): Promise<void> {
    return deleteQueued(scope, sql.among(sql`message.enrollment_id`, enrollments));
  }

  /** Published before the contacts are deleted, with their enrollments and messages. */
  @OnDomainEvent('contact.deleted')
  contactsDeleted(scope: WorkspaceScope, { contacts }: ContactsEvent): Promise<void> {
    const enrollments = sql`SELECT id FROM enrollments WHERE workspace_id = ${scope} AND ${sql.among(sql`contact_id`, contacts)}`;
    return deleteQueued(scope, sql.among(sql`message.enrollment_id`, enrollments));
  }

  @OnDomainEvent('enrollments.moved')
  continueAtStep(scope: WorkspaceScope, { enrollments, step_id: id }: EnrollmentsAtStep): Promise<void> {
    return cancelForMove(scope, enrollments, id);
  }

  @OnDomainEvent('step.deleted')
  stepDeleted(scope: WorkspaceScope, { step_id: id }: StepEvent): Promise<void> {
    return detachStep(scope, id);
  }

  /** Messages whose variants are gone, or that have none yet, draw one. What is claimed is sent as it was. */
  @OnDomainEvent('step.variants_changed')
  variantsChanged(scope: WorkspaceScope, { step_id: id }: StepEvent): Promise<void> {
    return drawAgain(scope, id);
  }

  @OnDomainEvent('email_account.deleted')
  accountDeleted(scope: WorkspaceScope, { email_account_id: id }: EmailAccountEvent): Promise<void> {
    return detachAccount(scope, id);
  }
}
