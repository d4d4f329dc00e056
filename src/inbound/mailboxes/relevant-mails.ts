import { Injectable } from '@nestjs/common';
import type { MessageHeader } from '../../email-accounts/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { AnsweredMessages, DeliveryReports } from '../../sending/index.js';
import { addressesIn } from '../mail/addresses.js';
import { HeaderFields, MAX_MESSAGE_IDS } from '../mail/header-fields.js';
import { decodedField, reportSenderOf } from '../mail/mail-server.js';

/** What the beginning of a header says about a mail. */
interface Sender {
  readonly uid: number;
  /** Whether its body decides. */
  readonly is_certain: boolean;
  readonly message_ids: readonly string[];
  readonly addresses: readonly string[];
}

/** Requests by mail to be unsubscribed. */
const UNSUBSCRIBE = /unsubscribe/i;
const MAX_ADDRESSES = 5;

/**
 * Decides by their headers which mails of a mailbox could be about messages of the workspace. Only these are fetched, so
 * the private mail of the owner does not leave the mailbox.
 */
@Injectable()
export class RelevantMails {
  constructor(
    private readonly reports: DeliveryReports,
    private readonly answered: AnsweredMessages,
  ) {}

  /** Returns the numbers of possible reports, of mails that refer to a message, and of mails of contacts. */
  async among(scope: WorkspaceScope, headers: readonly MessageHeader[]): Promise<ReadonlySet<number>> {
    const senders = headers.map(senderOf);
    const uncertain = senders.filter((sender) => !sender.is_certain);
    const known = await this.reports.find(
      scope,
      uncertain.flatMap(({ message_ids: ids }) => ids),
    );
    const contacts = await this.answered.contactsAmong(
      scope,
      uncertain.flatMap(({ addresses }) => addresses),
    );
    const isRelevant = (sender: Sender): boolean =>
      sender.is_certain ||
      sender.message_ids.some((id) => known.has(id)) ||
      sender.addresses.some((address) => contacts.has(address));
    return new Set(senders.filter(isRelevant).map(({ uid }) => uid));
  }
}

function senderOf({ uid, header }: MessageHeader): Sender {
  const text = header.toString('utf8');
  const fields = HeaderFields.parse(text);
  const isComplete = /\r?\n\r?\n/.test(text);
  const ids = ['in-reply-to', 'references'].flatMap((name) => fields.messageIds(name));
  return {
    uid,
    is_certain:
      !isComplete || reportSenderOf(fields) !== undefined || UNSUBSCRIBE.test(decodedField(fields, 'subject')),
    message_ids: [...ids.slice(0, MAX_MESSAGE_IDS), ...ids.slice(-MAX_MESSAGE_IDS)],
    addresses: addressesIn(fields.get('from')).slice(0, MAX_ADDRESSES),
  };
}
