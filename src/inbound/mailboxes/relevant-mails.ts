import { Injectable } from '@nestjs/common';
import type { ImapSession, MessageHeader } from '../../email-accounts/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { AnsweredMessages, DeliveryReports } from '../../sending/index.js';
import { addressesIn } from '../mail/addresses.js';
import { HeaderFields, MAX_MESSAGE_IDS } from '../mail/header-fields.js';
import { decodedField, isUnmarked, reportSenderOf } from '../mail/mail-server.js';

/** What the beginning of a header says about a mail. */
interface Sender {
  readonly uid: number;
  /** Whether its body decides. */
  readonly is_certain: boolean;
  /** Whether it may be a report without a sign in its header. */
  readonly is_unmarked: boolean;
  readonly message_ids: readonly string[];
  readonly addresses: readonly string[];
}

/** What a returned message has in its header. */
const RETURNED_FIELD = 'Message-ID';
/** Returned messages are ours, which are small. */
const MAX_REPORT_BYTES = 262_144;

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

  /**
   * Returns the numbers of possible reports, of mails that refer to a message, and of mails of contacts. Of the others, the
   * server is asked which ones return a message: some mail servers write their notices like people.
   */
  async among(
    scope: WorkspaceScope,
    headers: readonly MessageHeader[],
    session: Pick<ImapSession, 'mentioning'>,
  ): Promise<ReadonlySet<number>> {
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
    const relevant = new Set(senders.filter(isRelevant).map(({ uid }) => uid));
    const unmarked = senders.filter((sender) => sender.is_unmarked && !relevant.has(sender.uid)).map(({ uid }) => uid);
    const returning = unmarked.length === 0 ? [] : await session.mentioning(unmarked, RETURNED_FIELD, MAX_REPORT_BYTES);
    return new Set([...relevant, ...returning]);
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
    is_unmarked: isUnmarked(fields),
    message_ids: [...ids.slice(0, MAX_MESSAGE_IDS), ...ids.slice(-MAX_MESSAGE_IDS)],
    addresses: addressesIn(fields.get('from')).slice(0, MAX_ADDRESSES),
  };
}
