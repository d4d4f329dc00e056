import { Injectable } from '@nestjs/common';
import { JobQueue } from '@outreach/job-queue';
import { Conflict, defineReason, RuleViolated } from '@outreach/http-errors';
import { GlobalBlacklist } from '../../blacklist/index.js';
import { type Campaign, CampaignCompletion, type CampaignEvent } from '../../campaigns/index.js';
import { sql } from '../../platform/database/index.js';
import { OnDomainEvent } from '../../platform/events/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { Message } from '../message.entity.js';
import { SENDING } from '../queues.js';
import { makeDue, TEMPORARY_FAILURE } from '../rules/index.js';
import type { MessageListQuery } from './message-list.query.js';
import { messageRecords, messagesOf } from './message-records.queries.js';
import { campaignCounts, enrollmentCounts, stepCounts, variantCounts } from './stats.queries.js';
import type { MessageRecord } from './message.view.js';
import { retryAll, retryUnknown, type RetryableStatus } from './retry.queries.js';
import type { CampaignStats } from './stats.view.js';
import { deleteFigures, StoredFigures } from './stored-figures.queries.js';

const NOT_RETRYABLE = defineReason(
  'not_retryable',
  409,
  'Only a message with the status `unknown`, or one that waits for its next attempt, can be retried.',
);
const NO_ACCOUNT = defineReason('no_account', 422, 'The email account of the message or of the reply was deleted.');
const STEP_DELETED = defineReason('step_deleted', 422, 'The step of the message was deleted.');

class NotRetryable extends Conflict {
  constructor() {
    super(
      NOT_RETRYABLE,
      `Only a message with the status unknown, or one that waits for its next attempt (${TEMPORARY_FAILURE}), can be retried.`,
    );
  }
}

/** Another account would send what may be the second copy. */
class AccountDeleted extends RuleViolated {
  constructor() {
    super(NO_ACCOUNT, 'The email account of this message was deleted, so that the message cannot be sent again.');
  }
}

/** Its text was that of the step. */
class StepDeleted extends RuleViolated {
  constructor() {
    super(STEP_DELETED, 'The step of this message was deleted, so that the message cannot be sent again.');
  }
}

@Injectable()
export class MessagesService {
  constructor(
    private readonly jobQueue: JobQueue,
    private readonly blacklist: GlobalBlacklist,
    private readonly completion: CampaignCompletion,
  ) {}

  list(scope: WorkspaceScope, campaign: Campaign, query: MessageListQuery) {
    return messageRecords(scope).page(query, messagesOf(scope, campaign.id, query));
  }

  /** In one snapshot: messages that are deleted meanwhile are counted once, as messages or by the counters. */
  stats(scope: WorkspaceScope, { id }: Campaign): Promise<CampaignStats> {
    return scope.snapshot(async (tx) => {
      const [steps, variants] = [await stepCounts(tx, id), await variantCounts(tx, id)];
      const owners = [...steps.map((step) => step.step_id), ...variants.map((variant) => variant.variant_id)];
      const stored = await StoredFigures.of(tx, id, owners);
      return {
        enrollments: stored.addEnrollments(id, await enrollmentCounts(tx, id)),
        messages: stored.add('campaign', id, await campaignCounts(tx, id)),
        steps: steps.map((step) => stored.add('step', step.step_id, step)),
        variants: variants.map((variant) => stored.add('variant', variant.variant_id, variant)),
      };
    });
  }

  @OnDomainEvent('campaign.deleted')
  deleteFigures(tx: WorkspaceScope, { campaign_id: id }: CampaignEvent): Promise<void> {
    return deleteFigures(tx, id);
  }

  /**
   * Queues a message again of which it is unknown whether the server accepted it, or lets one that waits for its next attempt be
   * tried now. @throws NotRetryable, AccountDeleted, StepDeleted
   */
  async retry(scope: WorkspaceScope, message: Message): Promise<MessageRecord> {
    if (message.email_account_id === null && message.status === 'unknown') throw new AccountDeleted();
    if (message.step_id === null && message.reply_id === null && message.status === 'unknown') throw new StepDeleted();
    const accountId = await scope.transaction(async (tx) => {
      const retried = await retryUnknown(tx, message.id, message.campaign_id);
      await this.completion.reopen(tx, [message.campaign_id]);
      return retried ?? (await makeDue(tx, sql`message.id = ${message.id}`, [TEMPORARY_FAILURE]))[0]?.email_account_id;
    });
    if (accountId === undefined) throw new NotRetryable();
    this.enqueueSenders(scope, [accountId]);
    return messageRecords(scope).get(message.id);
  }

  /**
   * Lets all messages of a campaign that wait for their next attempt be tried now, or queues all failed or unknown ones
   * again, except those to contacts that may not be written to and those of steps that their enrollments have left. Failed
   * ones start with the first attempt, and their enrollments run again, which makes a completed campaign active. If it is a
   * draft or paused, they wait until it is started.
   */
  async retryAll(scope: WorkspaceScope, campaign: Campaign, status: RetryableStatus): Promise<{ count: number }> {
    if (status === 'queued') {
      const due = await makeDue(scope, sql`message.campaign_id = ${campaign.id}`, [TEMPORARY_FAILURE]);
      this.enqueueSenders(
        scope,
        due.map(({ email_account_id: id }) => id),
      );
      return { count: due.reduce((sum, { messages }) => sum + messages, 0) };
    }
    const { count, accounts } = await retryAll(scope, campaign.id, {
      status,
      blacklist: this.blacklist,
      onQueued: (tx) => this.completion.reopen(tx, [campaign.id]),
    });
    this.enqueueSenders(scope, accounts);
    return { count };
  }

  private enqueueSenders(scope: WorkspaceScope, accounts: readonly number[]): void {
    const keys = accounts.map((id) => ({ workspace_id: scope.workspace_id, id }));
    scope.afterCommit(() => this.jobQueue.enqueue(SENDING, keys));
  }
}
