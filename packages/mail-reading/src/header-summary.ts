import { addressesIn } from './addresses.js';
import { HeaderFields, usedMessageIds } from './header-fields.js';
import { decodedField, isUnmarked, reportSenderOf, SENDER_FIELDS } from './mail-server.js';

/** What the beginning of a header says about a mail. */
export interface HeaderSummary {
  /** Whether its body decides. */
  readonly is_certain: boolean;
  /** Whether it may be a report without a sign in its header. */
  readonly is_unmarked: boolean;
  /** The Message-IDs that it refers to, at most 20. */
  readonly message_ids: readonly string[];
  /** Of its senders, at most five. */
  readonly addresses: readonly string[];
}

/** Those of the sender also have the Message-IDs, the addresses and the subject. */
const USED_FIELDS: ReadonlySet<string> = new Set(SENDER_FIELDS);

/** Requests by mail to be unsubscribed. */
const UNSUBSCRIBE = /unsubscribe/i;
const MAX_ADDRESSES = 5;

/** Reads the beginning of the header of a mail. One that is not complete says nothing for certain. */
export function summarizeHeader(header: Uint8Array): HeaderSummary {
  const text = Buffer.from(header.buffer, header.byteOffset, header.byteLength).toString('utf8');
  const fields = HeaderFields.parse(text, USED_FIELDS);
  const isComplete = /\n\r?\n/.test(text);
  return {
    is_certain:
      !isComplete || reportSenderOf(fields) !== undefined || UNSUBSCRIBE.test(decodedField(fields, 'subject')),
    is_unmarked: isUnmarked(fields),
    message_ids: usedMessageIds(['in-reply-to', 'references'].flatMap((name) => fields.messageIds(name))),
    addresses: addressesIn(fields.get('from')).slice(0, MAX_ADDRESSES),
  };
}
