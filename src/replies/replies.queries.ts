import { createHash } from 'node:crypto';
import type { StatementPart } from '@outreach/database';
import { normalizeEmail } from '@outreach/email-addresses';
import { type Sql, sql } from '../platform/database/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import type { ReplyReceived } from '../sending/index.js';

/** How many replies to one message are stored: a mail loop or a flood ends here. */
const MAX_AUTOMATIC_PER_MESSAGE = 20;
const MAX_WRITTEN_PER_MESSAGE = 200;

/** A `Message-ID` that can be written into a header as it is. */
const ASCII_MESSAGE_ID = /^[\x21-\x7e]+@[\x21-\x7e]+$/;

export interface StoredReply {
  readonly id: number;
  readonly contact_id: number;
  /** The message that it replies to. */
  readonly answered_id: number;
}

/**
 * Stores a reply to a message. A mail that was received before is not stored again, also if it is received twice at the
 * same time. The message's account is locked, so that its deletion comes before, or finds the reply.
 * @returns undefined if it was not stored: also if there are too many replies to the message, or it was deleted
 */
export async function insertReply(
  tx: WorkspaceScope,
  { messages, reply }: ReplyReceived,
): Promise<StoredReply | undefined> {
  const limit = reply.is_automatic ? MAX_AUTOMATIC_PER_MESSAGE : MAX_WRITTEN_PER_MESSAGE;
  const ownId = ASCII_MESSAGE_ID.test(reply.dedup_key) ? reply.dedup_key : null;
  const [stored] = await tx.inParts<StoredReply>(
    lockedSender(tx, messages),
    sql`INSERT INTO replies (workspace_id, campaign_id, enrollment_id, contact_id, email_account_id, answered_id, message_id,
          dedup_hash, received_message_id, from_name, from_address, subject, text, classification, is_automatic, returns_on,
          received_at, created_at, updated_at)
        SELECT ${tx}, sent.campaign_id, enrollment.id, sent.contact_id, (SELECT id FROM account), sent.id, sent.message_id,
          ${sha256(reply.dedup_key)}, ${ownId}, ${reply.from.name}, ${normalizeEmail(reply.from.address)}, ${reply.subject},
          ${reply.text}, ${reply.classification}, ${reply.is_automatic}, ${reply.returns_on}, ${reply.received_at},
          ${tx.now}, ${tx.now}
        FROM sent CROSS JOIN enrollment
        WHERE (SELECT count(*) FROM (
            SELECT 1 FROM replies existing
            WHERE existing.workspace_id = ${tx} AND existing.enrollment_id = sent.enrollment_id
              AND existing.answered_id = sent.id AND existing.is_automatic = ${reply.is_automatic}
            LIMIT ${limit}) stored) < ${limit}
        ON CONFLICT (workspace_id, dedup_hash) DO NOTHING RETURNING id, contact_id, answered_id`,
  );
  return stored;
}

/** The parts of a statement that find the message that was replied to, and lock its enrollment and its account. */
const lockedSender = (tx: WorkspaceScope, messages: Sql): StatementPart[] => [
  {
    name: 'sent',
    statement: sql`SELECT message.id, message.message_id, message.campaign_id, message.enrollment_id, message.contact_id,
          message.email_account_id
        FROM all_messages message WHERE message.workspace_id = ${tx} AND ${sql.among(sql`message.id`, messages)}
        ORDER BY message.id LIMIT 1`,
    columns: sql`id bigint, message_id text, campaign_id bigint, enrollment_id bigint, contact_id bigint,
        email_account_id bigint`,
  },
  {
    name: 'enrollment',
    statement: sql`SELECT enrollment.id FROM enrollments enrollment
        WHERE enrollment.workspace_id = ${tx} AND enrollment.id = (SELECT enrollment_id FROM sent) FOR KEY SHARE`,
    columns: sql`id bigint`,
  },
  {
    name: 'account',
    statement: sql`SELECT account.id FROM email_accounts account
        WHERE account.workspace_id = ${tx} AND account.id = (SELECT email_account_id FROM sent) FOR KEY SHARE`,
    columns: sql`id bigint`,
  },
];

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Removes an account that is about to be deleted from its replies. */
export async function detachAccountFromReplies(tx: WorkspaceScope, accountId: number): Promise<void> {
  await tx.execute(
    sql`UPDATE replies SET email_account_id = NULL WHERE workspace_id = ${tx} AND email_account_id = ${accountId}`,
  );
}
