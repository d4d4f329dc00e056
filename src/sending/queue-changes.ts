import { Injectable } from '@nestjs/common';
import type {
  CampaignEvent,
  CampaignsEvent,
  EnrollmentsEnded,
  EnrollmentsEvent,
  StepDeleted,
} from '../campaigns/index.js';
import type { EmailAccountEvent } from '../email-accounts/index.js';
import { sql } from '../platform/database/index.js';
import { On } from '../platform/events/index.js';
import { Doorbell } from '../platform/queue/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import { cancelQueued, forgetStep, holdPaused, release, withdrawAccount } from './queue-changes.queries.js';
import { PLANNING, SENDING } from './queues.js';

/** What happens to queued messages when something else changes. All of it in the transaction of the cause. */
@Injectable()
export class QueueChanges {
  constructor(private readonly doorbell: Doorbell) {}

  @On('campaign.paused')
  paused(scope: WorkspaceScope, { campaigns }: CampaignsEvent): Promise<void> {
    return holdPaused(scope, campaigns);
  }

  @On('campaign.started')
  async started(scope: WorkspaceScope, { campaigns }: CampaignsEvent): Promise<void> {
    this.wakeSenders(scope, await release(scope, sql`message.campaign_id IN (${campaigns})`, ['paused']));
  }

  @On('campaign.rescheduled')
  async rescheduled(scope: WorkspaceScope, { campaign_id: id }: CampaignEvent): Promise<void> {
    this.wakeSenders(scope, await release(scope, sql`message.campaign_id = ${id}`, ['outside_schedule']));
  }

  @On('enrollments.due')
  async due(scope: WorkspaceScope, { campaign_id: id }: CampaignEvent): Promise<void> {
    scope.afterCommit(() => this.doorbell.ring(PLANNING, [{ workspace_id: scope.workspace_id, id }]));
  }

  @On('enrollments.ended')
  ended(scope: WorkspaceScope, { enrollments, reason }: EnrollmentsEnded): Promise<void> {
    return cancelQueued(scope, sql`message.enrollment_id IN (${enrollments})`, reason);
  }

  @On('enrollments.skipped')
  skipped(scope: WorkspaceScope, { enrollments }: EnrollmentsEvent): Promise<void> {
    return cancelQueued(scope, sql`message.enrollment_id IN (${enrollments})`, 'skipped');
  }

  @On('step.deleted')
  stepDeleted(scope: WorkspaceScope, { step_id: id }: StepDeleted): Promise<void> {
    return forgetStep(scope, id);
  }

  @On('email_account.updated')
  async accountUpdated(scope: WorkspaceScope, { email_account_id: id }: EmailAccountEvent): Promise<void> {
    const reasons = ['account_inactive', 'daily_limit'];
    this.wakeSenders(scope, await release(scope, sql`message.email_account_id = ${id}`, reasons));
  }

  @On('email_account.deleted')
  accountDeleted(scope: WorkspaceScope, { email_account_id: id }: EmailAccountEvent): Promise<void> {
    return withdrawAccount(scope, id);
  }

  private wakeSenders(scope: WorkspaceScope, accounts: readonly { email_account_id: number }[]): void {
    const lanes = accounts.map((each) => ({ workspace_id: scope.workspace_id, id: each.email_account_id }));
    scope.afterCommit(() => this.doorbell.ring(SENDING, lanes));
  }
}
