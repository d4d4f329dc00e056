import { Injectable } from '@nestjs/common';
import { CampaignProtection, EnrollmentTransitions } from '../../campaigns/index.js';
import { sql } from '../../platform/database/index.js';
import { DomainEvents } from '../../platform/events/index.js';
import type { GroupedWork, WorkspaceScope } from '../../platform/tenancy/index.js';
import { type Bounce, messagesEvent } from '../sending.events.js';
import { countSent, refundQuota, refundRemoved } from './account-counts.queries.js';
import { countMessages } from '../metrics/index.js';
import { countDecision } from './count-decision.js';
import { ACCOUNT_REFUSED, noteSent, NO_WAIT, temporaryFailure, type Wait } from '../rules/index.js';
import {
  cancelEnded,
  countAttempt,
  endMessages,
  expireLease,
  findUnsent,
  returnedMessages,
} from './message-status.queries.js';
import { RecipientEffects } from './recipient-effects.js';
import { RefusedAccounts } from './refused-accounts.js';
import {
  cancelStepless,
  returnLater,
  returnLimited,
  returnOrRefund,
  returnToQueue,
  returnUntilAllowed,
} from './returned-messages.js';
import { holdMissing, requeueMissing } from './sent-mail-results.queries.js';
import type { CancelReason, FailedSend, SendDecision, UntakenSend } from './send-decision.js';
import { isToContact, type SendTarget } from './send-target.js';
import { setQueuedOrUnknownSent } from './sent-status.js';
import { RECORD_ACCEPTED, SendTransactions } from './send-transactions.js';
import { enrollmentsOf, idsOf, ofSteps, type UpdatedMessage } from './updated-message.js';

/** The campaigns that sent messages belong to. */
interface CampaignsAfterSend {
  /** Enrollments have ended in them. */
  readonly ended: number[];
  /** They may be over a rate at which they pause themselves. */
  readonly toCompare: number[];
}

/**
 * The only writer of the results of claimed messages. Each result is one transaction: the message, its enrollment, its
 * contact, the daily limit of the account, and the events.
 */
@Injectable()
export class SendResults {
  /** Accepted messages are recorded together with those of other connections. */
  private readonly accepted: GroupedWork<number, void> = {
    order: RECORD_ACCEPTED,
    run: async (tx, ids, scope) => {
      const { ended, toCompare } = await this.setSent(tx, ids);
      tx.afterCommit(() => {
        this.effects.completeSoon(scope, ended);
        void this.protection.compareAfterSend(scope, toCompare);
      });
      return ids.map(() => undefined);
    },
  };

  constructor(
    private readonly transitions: EnrollmentTransitions,
    private readonly effects: RecipientEffects,
    private readonly protection: CampaignProtection,
    private readonly events: DomainEvents,
    private readonly transactions: SendTransactions,
    private readonly refusedAccounts: RefusedAccounts,
  ) {}

  /** Writes the decision about one message, and counts it. */
  async record(scope: WorkspaceScope, message: SendTarget, decision: SendDecision): Promise<void> {
    await this.write(scope, message, decision);
    countDecision(decision);
  }

  private write(scope: WorkspaceScope, message: SendTarget, decision: SendDecision): Promise<void> {
    const { id } = message;
    switch (decision.kind) {
      case 'sent':
        return this.recordAccepted(scope, message);
      case 'later':
        return returnLater(scope, message, decision);
      case 'untaken':
        return this.recordUntaken(scope, message, decision);
      case 'limited':
        return returnLimited(scope, message, decision.limit);
      case 'stopped':
        return this.requeue(scope, [id]);
      case 'aborted':
        return returnOrRefund(scope, message, NO_WAIT);
      case 'waiting':
        return returnUntilAllowed(scope, message, decision.reason);
      case 'cancelled':
        return this.cancel(scope, message, decision.reason);
      case 'unsendable':
        return this.failUnsendable(scope, message, decision.reason);
      case 'failed':
        return this.fail(scope, message, decision);
      case 'bounced':
        return this.bounce(scope, message, decision.bounce);
      case 'uncertain':
        return expireLease(scope, id);
      case 'lost':
        return Promise.resolve();
      default:
        return decision satisfies never;
    }
  }

  /**
   * The gap begins before the lease ends with the result: no other worker may begin a message in between, and if this one
   * dies, recovery begins the gap.
   */
  private async recordAccepted(scope: WorkspaceScope, message: SendTarget): Promise<void> {
    const { id, email_account_id: accountId, bound_by: bound } = message;
    if (accountId !== null) await noteSent(scope, [accountId], bound);
    await this.transactions.submit(scope, this.accepted, id);
  }

  /**
   * Records that the server has accepted messages: the enrollments of steps advance to the next one. Messages that were
   * recorded before do not change.
   */
  async setSent(tx: WorkspaceScope, ids: readonly number[]): Promise<CampaignsAfterSend> {
    return this.afterSent(tx, await setQueuedOrUnknownSent(tx, ids));
  }

  /** Like {@link setSent}, for messages of which a report says so, mostly after their workers did. */
  async setReported(tx: WorkspaceScope, ids: readonly number[]): Promise<number[]> {
    const unsent = await findUnsent(tx, ids);
    if (unsent.length === 0) return [];
    const updated = await setQueuedOrUnknownSent(tx, unsent);
    const accounts = updated.flatMap(({ email_account_id: id }) => id ?? []);
    if (accounts.length > 0) await noteSent(tx, accounts);
    return (await this.afterSent(tx, updated)).ended;
  }

  private async afterSent(tx: WorkspaceScope, updated: readonly UpdatedMessage[]): Promise<CampaignsAfterSend> {
    if (updated.length === 0) return { ended: [], toCompare: [] };
    await this.events.publish(tx, 'email.sent', messagesEvent(idsOf(updated)));
    const steps = ofSteps(updated);
    const ended = steps.length > 0 ? await this.transitions.afterSend(tx, steps) : [];
    // Last, because transactions that count for the same accounts wait until this one commits.
    return { ended, toCompare: await countSent(tx, updated) };
  }

  /**
   * Puts messages back into the queue, due now unless they have to wait, and refunds the daily limits of their accounts.
   * Those whose account was deleted meanwhile are planned again, from another one.
   */
  requeue(scope: WorkspaceScope, ids: readonly number[], wait: Wait = NO_WAIT): Promise<void> {
    return scope.transaction(async (tx) => {
      await returnToQueue(tx, ids, wait);
    });
  }

  /** The sent mail of their account shows these messages: they were sent. */
  recordFound(scope: WorkspaceScope, ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return Promise.resolve();
    return this.effects.runAndComplete(scope, async (tx) => {
      const { ended, toCompare } = await this.setSent(tx, ids);
      tx.afterCommit(() => {
        countMessages('sent', ids.length);
        void this.protection.compareAfterSend(scope, toCompare);
      });
      return ended;
    });
  }

  /** The sent mail of their account does not show these messages: they go out again, or are held at the second time. */
  recordMissing(scope: WorkspaceScope, ids: readonly number[]): Promise<{ queued: number; unknown: number }> {
    return scope.transaction(async (tx) => {
      const queued = await requeueMissing(tx, ids);
      const unknown = await holdMissing(tx, ids);
      await refundQuota(tx, queued);
      await cancelStepless(tx, queued);
      tx.afterCommit(() => countMessages('unknown', unknown.length));
      return { queued: queued.length, unknown: unknown.length };
    });
  }

  /** Its provider could not be used for a message: the attempt has failed, which says nothing about its recipient. */
  private recordUntaken(scope: WorkspaceScope, message: SendTarget, { minutes, reason }: UntakenSend): Promise<void> {
    return this.effects.runAndComplete(scope, async (tx) => {
      await countAttempt(tx, message.id);
      if (minutes !== undefined) {
        await returnOrRefund(tx, message, { ...temporaryFailure(minutes), isForProvider: true });
        return [];
      }
      const updated = await this.end(tx, message, 'failed', reason);
      if (updated.length === 0) await refundRemoved(tx, message);
      return this.failEnrollments(tx, updated, { type: 'soft', code: null, message: reason });
    });
  }

  private cancel(scope: WorkspaceScope, message: SendTarget, reason: CancelReason): Promise<void> {
    return this.effects.runAndComplete(scope, async (tx) => {
      await this.end(tx, message, 'cancelled', reason);
      switch (reason) {
        case 'skipped':
          return [];
        case 'unsubscribed':
          return this.transitions.unsubscribe(tx, sql`SELECT ${message.contact_id}::bigint`);
        case 'bounced':
        case 'blacklisted':
          return message.reply_id === null ? this.transitions.fail(tx, [message.enrollment_id]) : [];
        default:
          return reason satisfies never;
      }
    });
  }

  private failUnsendable(scope: WorkspaceScope, message: SendTarget, reason: string): Promise<void> {
    return this.effects.runAndComplete(scope, async (tx) => {
      const updated = await this.end(tx, message, 'failed', reason);
      return this.transitions.fail(tx, enrollmentsOf(ofSteps(updated)));
    });
  }

  private fail(
    scope: WorkspaceScope,
    message: SendTarget,
    { bounce, was_retried: wasRetried }: FailedSend,
  ): Promise<void> {
    return this.effects.runAndComplete(scope, async (tx) => {
      if (!wasRetried && (await this.returnRefused(tx, message, bounce))) return [];
      const updated = await this.end(tx, message, 'failed', bounce.message);
      if (updated.length === 0) await refundRemoved(tx, message);
      if (wasRetried && isToContact(message)) await this.effects.recordSoftBounces(tx, idsOf(updated), 'service');
      return this.failEnrollments(tx, updated, bounce);
    });
  }

  private bounce(scope: WorkspaceScope, message: SendTarget, bounce: Bounce): Promise<void> {
    return this.effects.runAndComplete(scope, async (tx) => {
      if (message.reply_id === null) await this.protection.lock(tx, sql`SELECT ${message.campaign_id}::bigint`);
      if (await this.returnRefused(tx, message, bounce)) return [];
      const updated = await this.end(tx, message, 'bounced', bounce.message);
      if (updated.length === 0) {
        await this.bounceRemoved(tx, message);
        return [];
      }
      await this.protection.countReturned(tx, returnedMessages(tx, idsOf(updated)), 'bounced');
      if (isToContact(message)) await this.effects.blacklistDeadAddresses(tx, [message], 'service');
      return this.failEnrollments(tx, updated, bounce);
    });
  }

  /** Puts a message back into the queue if its account is refused, and not its recipient. @returns whether it is */
  private async returnRefused(tx: WorkspaceScope, message: SendTarget, bounce: Bounce): Promise<boolean> {
    if (!(await this.refusedAccounts.note(tx, message, bounce.message))) return false;
    await returnToQueue(tx, [message.id], ACCOUNT_REFUSED);
    await cancelEnded(tx, [message.id]);
    return true;
  }

  /** Ends a message that was not sent, and refunds the daily limit of its account. */
  private async end(
    tx: WorkspaceScope,
    { id }: SendTarget,
    status: 'cancelled' | 'failed' | 'bounced',
    reason: string,
  ): Promise<UpdatedMessage[]> {
    const updated = await endMessages(tx, [id], status, reason);
    const reserved = updated.filter((message) => message.was_reserved);
    await refundQuota(tx, reserved);
    return updated;
  }

  /**
   * A message bounced whose enrollment or campaign was deleted while it was sent: its address is dead all the same. The
   * address of a contact that was deleted, too, is not stored again.
   */
  private async bounceRemoved(tx: WorkspaceScope, message: SendTarget): Promise<void> {
    if (!(await refundRemoved(tx, message)) || !isToContact(message)) return;
    const contacts = await tx.query(
      sql`SELECT 1 FROM contacts WHERE workspace_id = ${tx} AND id = ${message.contact_id} FOR KEY SHARE`,
    );
    if (contacts.length > 0) await this.effects.blacklistDeadAddresses(tx, [message], 'service');
  }

  /** @returns the campaigns in which enrollments have ended */
  private async failEnrollments(
    tx: WorkspaceScope,
    updated: readonly UpdatedMessage[],
    bounce: Bounce,
  ): Promise<number[]> {
    if (updated.length > 0) {
      await this.events.publish(tx, 'email.bounced', { ...messagesEvent(idsOf(updated)), bounce });
    }
    return this.transitions.fail(tx, enrollmentsOf(ofSteps(updated)));
  }
}
