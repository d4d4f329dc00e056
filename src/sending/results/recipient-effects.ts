import { Injectable } from '@nestjs/common';
import { Blacklist } from '../../blacklist/index.js';
import { CampaignCompletion, EnrollmentTransitions } from '../../campaigns/index.js';
import { ContactStatuses } from '../../contacts/index.js';
import { sql } from '../../platform/database/index.js';
import { DomainEvents } from '../../platform/events/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { countSent, recordSent } from './message-status.queries.js';
import { messagesEvent } from '../sending.events.js';

/** Whom a message was for. */
export interface MessageRecipient {
  readonly contact_id: number;
  readonly email: string;
}

/** What follows from an outcome for others than the message, whether it was known at once or was reported later. */
@Injectable()
export class RecipientEffects {
  constructor(
    private readonly transitions: EnrollmentTransitions,
    private readonly completion: CampaignCompletion,
    private readonly contacts: ContactStatuses,
    private readonly blacklist: Blacklist,
    private readonly events: DomainEvents,
  ) {}

  /**
   * The mail server has these: their contacts move on to the next step. Nothing happens to those that were recorded.
   * @returns the campaigns in which enrollments have ended
   */
  async accepted(tx: WorkspaceScope, ids: readonly number[]): Promise<number[]> {
    const updated = await recordSent(tx, ids);
    if (updated.length === 0) return [];
    await this.events.publish(tx, 'email.sent', messagesEvent(updated.map(({ id }) => id)));
    const ended = await this.transitions.afterSend(tx, updated);
    // Last, because others that count for the same accounts wait for the commit.
    await countSent(
      tx,
      updated.flatMap(({ email_account_id: id }) => id ?? []),
    );
    return ended;
  }

  /** The addresses are dead: nobody writes to them again. */
  async died(tx: WorkspaceScope, recipients: readonly MessageRecipient[]): Promise<void> {
    if (recipients.length === 0) return;
    await this.contacts.markBounced(tx, contactsOf(recipients));
    await this.blacklist.add(tx, emailsOf(recipients), 'bounce');
  }

  /**
   * They have reported a message as spam: nobody writes to them again.
   * @returns the campaigns in which enrollments have ended
   */
  async complained(tx: WorkspaceScope, recipients: readonly MessageRecipient[]): Promise<number[]> {
    await this.contacts.markComplained(tx, contactsOf(recipients));
    await this.blacklist.add(tx, emailsOf(recipients), 'complaint');
    return this.transitions.unsubscribe(tx, contactsOf(recipients));
  }

  /**
   * Runs work that may end enrollments. The campaigns that it gives are looked at after the commit: before, others could
   * not see what has ended.
   */
  async ending(scope: WorkspaceScope, work: (tx: WorkspaceScope) => Promise<readonly number[]>): Promise<void> {
    await this.completion.completeIfDone(scope, await scope.transaction(work));
  }
}

const contactsOf = (recipients: readonly MessageRecipient[]) =>
  sql`SELECT unnest(${recipients.map((each) => each.contact_id)}::bigint[])`;
const emailsOf = (recipients: readonly MessageRecipient[]): string[] => recipients.map(({ email }) => email);
