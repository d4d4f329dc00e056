import { asksToUnsubscribe, type MailContent, type ReceivedMail } from '@outreach/mail-reading';
import { normalizeEmail } from '@outreach/email-addresses';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { type AnsweredMessage, findAnswered, findAnsweredByAddress, type ReceivedReply } from '../../sending/index.js';
import type { MailOrigin } from './mail-origin.js';

export interface PossibleReply {
  readonly mail: ReceivedMail;
  /** The message that the header refers to; undefined if it refers to none of the workspace. */
  readonly id: number | undefined;
  readonly origin: MailOrigin;
}

/**
 * Finds the message that a mail replies to: the one that its header refers to, or else the latest of the mailbox to the
 * sender. Mails of the workspace's own accounts are no replies, unless a contact has the same address. Neither is a
 * message that another person forwards.
 */
export async function findReplied(
  scope: WorkspaceScope,
  { mail, id, origin }: PossibleReply,
): Promise<AnsweredMessage | undefined> {
  const from = normalizeEmail(mail.from.address);
  const message = await (id === undefined ? findByAddress(scope, mail, origin) : findAnswered(scope, id, from));
  if (!message || from === '' || from === message.contact_email) return message;
  return message.is_from_account || FORWARDED.test(mail.subject) ? undefined : message;
}

async function findByAddress(
  scope: WorkspaceScope,
  { from, recipients, header }: ReceivedMail,
  { email_account_id: accountId }: MailOrigin,
): Promise<AnsweredMessage | undefined> {
  // Newsletters are no replies.
  if (from.address === '' || header.has('list-unsubscribe')) return undefined;
  return findAnsweredByAddress(scope, { from: normalizeEmail(from.address), recipients, email_account_id: accountId });
}

/** The beginnings of subjects of forwarded mails, of programs in several languages. */
const FORWARDED = /^\s*(fwd?|tr|wg|rv|i|enc|doorst|vs|vb|pd)\s*:/i;

/** Returns what is stored of a reply. */
export function replyOf(
  mail: ReceivedMail,
  content: MailContent,
  { contact_email: address }: Pick<AnsweredMessage, 'contact_email'>,
  receivedAt: Date,
): ReceivedReply {
  const [messageId] = mail.header.messageIds('message-id');
  return {
    dedup_key: messageId ?? `sha256:${mail.hash}`,
    from: { name: mail.from.name, address: mail.from.address || address },
    subject: mail.subject,
    text: content.text,
    classification: content.classification,
    is_automatic: content.classification !== 'reply',
    asks_to_unsubscribe: content.classification === 'reply' && asksToUnsubscribe(content.text),
    returns_on: content.returns_on,
    received_at: receivedAt,
  };
}
