import { Injectable } from '@nestjs/common';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { type AnsweredMessage, findAnswered, findContactsAmong, findLatestTo } from './answered-messages.queries.js';

export { type AnsweredMessage };

/** Where a mail without a Message-ID of ours comes from, and in which mailboxes it was received. */
export interface UnthreadedMail {
  readonly from: string;
  /** The account whose mailbox was read, if that is known. */
  readonly email_account_id?: number | undefined;
  /** Else the addresses to which the mail was sent, in lower case. */
  readonly recipients: readonly string[];
}

/** Finds the messages that received mails reply to. */
@Injectable()
export class AnsweredMessages {
  /** Returns those of some addresses, in lower case, that contacts have. */
  async contactsAmong(scope: WorkspaceScope, addresses: readonly string[]): Promise<ReadonlySet<string>> {
    return addresses.length === 0 ? new Set() : new Set(await findContactsAmong(scope, addresses));
  }

  /** Returns a message with its recipient and its sender, or undefined if it was deleted. */
  async byId(scope: WorkspaceScope, id: number, from: string | null): Promise<AnsweredMessage | undefined> {
    return findAnswered(scope, id, from);
  }

  /**
   * Finds the latest message to the sender's address, of the last 30 days. Only the mailbox of the account that sent it
   * counts: what people write to others is no reply to it.
   */
  async byAddress(scope: WorkspaceScope, mail: UnthreadedMail): Promise<AnsweredMessage | undefined> {
    const latest = await findLatestTo(scope, mail.from);
    if (!latest) return undefined;
    const isItsMailbox =
      mail.email_account_id === undefined
        ? latest.account_email !== null && mail.recipients.includes(latest.account_email)
        : mail.email_account_id === latest.email_account_id;
    return isItsMailbox ? latest : undefined;
  }
}
