import { Injectable } from '@nestjs/common';
import { Blacklist } from '../../blacklist/index.js';
import { CampaignCompletion, EnrollmentTransitions } from '../../campaigns/index.js';
import { type ChangeSource, ContactStatuses } from '../../contacts/index.js';
import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { cancelQueued } from './message-status.queries.js';
import { setSoftBounced } from './soft-bounces.queries.js';
import { enrollmentsOf, idsOf, ofSteps, type UpdatedMessage } from './updated-message.js';

export interface MessageRecipient {
  readonly contact_id: number;
  readonly email: string;
}

/**
 * What the result of a message changes for its recipient: contact, enrollments and blacklist. Methods that return IDs
 * return the campaigns in which enrollments have ended.
 */
@Injectable()
export class RecipientEffects {
  constructor(
    private readonly transitions: EnrollmentTransitions,
    private readonly completion: CampaignCompletion,
    private readonly contacts: ContactStatuses,
    private readonly blacklist: Blacklist,
  ) {}

  /** The addresses are dead: they are blacklisted, and the contacts that still have them become `bounced`. */
  async blacklistDeadAddresses(
    tx: WorkspaceScope,
    recipients: readonly MessageRecipient[],
    source: ChangeSource,
  ): Promise<void> {
    if (recipients.length === 0) return;
    const withAddress = sql`SELECT contact.id FROM contacts contact
      JOIN unnest(${idsIn(recipients)}::bigint[], ${emailsOf(recipients)}::text[]) AS recipient (id, email)
        ON recipient.id = contact.id AND recipient.email = contact.email
      WHERE contact.workspace_id = ${tx}`;
    await this.contacts.markBounced(tx, withAddress, source);
    await this.blacklist.addReported(tx, emailsOf(recipients), 'bounce');
  }

  /**
   * Messages to the addresses of their contacts ended in soft bounces: a contact whose last five messages did, without a
   * sign of life since the first of them, becomes `bounced`.
   */
  async recordSoftBounces(tx: WorkspaceScope, messageIds: readonly number[], source: ChangeSource): Promise<void> {
    if (messageIds.length === 0) return;
    const unreachable = await setSoftBounced(tx, messageIds);
    if (unreachable.length > 0) await this.contacts.markBounced(tx, selectIds(unreachable), source);
  }

  /** Sent messages were returned: their enrollments fail, and what is queued for these is cancelled. */
  async failReturned(tx: WorkspaceScope, messages: readonly UpdatedMessage[]): Promise<number[]> {
    const enrollments = enrollmentsOf(ofSteps(messages));
    const which = sql`message.enrollment_id = ANY(${enrollments}::bigint[]) AND message.reply_id IS NULL`;
    await cancelQueued(tx, which, 'bounced');
    return this.transitions.failAfterSend(tx, enrollments);
  }

  /** Spam reports: the contacts become `complained`, the addresses are blacklisted, and all their enrollments end. */
  async recordComplaints(
    tx: WorkspaceScope,
    recipients: readonly MessageRecipient[],
    source: ChangeSource,
  ): Promise<number[]> {
    await this.contacts.markComplained(tx, contactsOf(recipients), source);
    await this.blacklist.addReported(tx, emailsOf(recipients), 'complaint');
    return this.transitions.unsubscribe(tx, contactsOf(recipients));
  }

  /** The contacts unsubscribe. A listener of that event ends their enrollments. */
  async unsubscribe(tx: WorkspaceScope, messages: readonly UpdatedMessage[], source: ChangeSource): Promise<void> {
    if (messages.length === 0) return;
    const contacts = selectIds(messages.map((message) => message.contact_id));
    await this.contacts.unsubscribe(tx, contacts, { source, through: selectIds(idsOf(messages)) });
  }

  /** Replies: the enrollments of campaigns that stop on a reply are completed. */
  recordReplies(tx: WorkspaceScope, messages: readonly UpdatedMessage[]): Promise<number[]> {
    return this.transitions.reply(tx, enrollmentsOf(messages));
  }

  completeSoon(scope: WorkspaceScope, ended: readonly number[]): void {
    this.completion.completeSoon(scope, ended);
  }

  /**
   * Runs work that may end enrollments in a transaction, and completes the campaigns that have no enrollment left.
   * @param work returns the campaigns in which enrollments have ended. They are checked after the commit, because other
   *   transactions do not see the ended enrollments before.
   */
  async runAndComplete(scope: WorkspaceScope, work: (tx: WorkspaceScope) => Promise<readonly number[]>): Promise<void> {
    const ended = await scope.transaction(work);
    await this.completion.completeIfDone(scope, ended);
  }
}

const selectIds = (ids: readonly number[]): Sql => sql`SELECT unnest(${[...ids]}::bigint[])`;
const idsIn = (recipients: readonly MessageRecipient[]): number[] =>
  recipients.map((recipient) => recipient.contact_id);
const contactsOf = (recipients: readonly MessageRecipient[]): Sql => selectIds(idsIn(recipients));
const emailsOf = (recipients: readonly MessageRecipient[]): string[] => recipients.map(({ email }) => email);
