import { Injectable } from '@nestjs/common';
import { Blacklist } from '../../blacklist/index.js';
import { CampaignCompletion, EnrollmentMoves } from '../../campaigns/index.js';
import { ContactStatuses } from '../../contacts/index.js';
import { sql } from '../../platform/database/index.js';
import { DomainEvents } from '../../platform/events/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { countSent, recordSent } from '../handover/record.queries.js';
import { messagesEvent } from '../sending.events.js';

/** Whom a message was for. */
export interface Recipient {
  readonly contact_id: number;
  readonly email: string;
}

/** What follows from an outcome for others than the message, whether it was known at once or was reported later. */
@Injectable()
export class Aftermath {
  constructor(
    private readonly moves: EnrollmentMoves,
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
    const moved = await recordSent(tx, ids);
    if (moved.length === 0) return [];
    await this.events.publish(tx, 'email.sent', messagesEvent(moved.map(({ id }) => id)));
    const ended = await this.moves.afterSend(tx, moved);
    // Last, because others that count for the same accounts wait for the commit.
    await countSent(
      tx,
      moved.flatMap(({ email_account_id: id }) => id ?? []),
    );
    return ended;
  }

  /** The addresses are dead: nobody writes to them again. */
  async died(tx: WorkspaceScope, recipients: readonly Recipient[]): Promise<void> {
    if (recipients.length === 0) return;
    await this.contacts.markBounced(tx, contactsOf(recipients));
    await this.blacklist.add(tx, emailsOf(recipients), 'bounce');
  }

  /**
   * They have reported a message as spam: nobody writes to them again.
   * @returns the campaigns in which enrollments have ended
   */
  async complained(tx: WorkspaceScope, recipients: readonly Recipient[]): Promise<number[]> {
    await this.contacts.markComplained(tx, contactsOf(recipients));
    await this.blacklist.add(tx, emailsOf(recipients), 'complaint');
    return this.moves.unsubscribe(tx, contactsOf(recipients));
  }

  /**
   * Runs work that may end enrollments. The campaigns that it gives are looked at after the commit: before, others could
   * not see what has ended.
   */
  async ending(scope: WorkspaceScope, work: (tx: WorkspaceScope) => Promise<readonly number[]>): Promise<void> {
    await this.completion.completeIfDone(scope, await scope.transaction(work));
  }
}

const contactsOf = (recipients: readonly Recipient[]) =>
  sql`SELECT unnest(${recipients.map((each) => each.contact_id)}::bigint[])`;
const emailsOf = (recipients: readonly Recipient[]): string[] => recipients.map(({ email }) => email);
