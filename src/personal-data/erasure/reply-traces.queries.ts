import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { WrittenByOthers } from '../../webhooks/index.js';
import type { DataSubject } from './data-subject.js';

/** What stands in the place of an address. */
const ERASED = 'erased';

/**
 * Erases a person from the replies of other contacts: what the person has written in their place, the answers to that, and the
 * address where others mention it. The replies of the contact itself are deleted with it.
 * @returns which events of others show what was erased
 */
export async function eraseFromReplies(tx: WorkspaceScope, { email }: DataSubject): Promise<WrittenByOthers[]> {
  const enrollments = sql`SELECT reply.enrollment_id FROM replies reply
    WHERE reply.workspace_id = ${tx} AND reply.from_address = ${email}`;
  const answers = await eraseAnswers(tx, email, enrollments);
  const written = await tx.query<ErasedReply>(
    sql`UPDATE replies SET from_name = NULL, from_address = ${ERASED}, subject = '', text = '', received_message_id = NULL
        WHERE workspace_id = ${tx} AND from_address = ${email} RETURNING id, contact_id`,
  );
  const [pattern, like] = [escapeRegularExpression(email), `%${email.replace(/[\\%_]/g, '\\$&')}%`];
  const mentioning = await tx.query<ErasedReply>(
    sql`UPDATE replies SET subject = regexp_replace(subject, ${pattern}, ${ERASED}, 'gi'),
          text = regexp_replace(text, ${pattern}, ${ERASED}, 'gi')
        WHERE workspace_id = ${tx} AND (subject ILIKE ${like} OR text ILIKE ${like})
        RETURNING id, contact_id`,
  );
  return byContact([...written, ...mentioning], answers);
}

interface ErasedReply extends Record<string, unknown> {
  readonly id: number;
  readonly contact_id: number;
}

interface ErasedAnswer extends Record<string, unknown> {
  readonly message_id: string | null;
  readonly contact_id: number;
}

/** Returns whose events show the replies and the answers. */
function byContact(replies: readonly ErasedReply[], answers: readonly ErasedAnswer[]): WrittenByOthers[] {
  const contacts = new Set([...replies, ...answers].map(({ contact_id: id }) => id));
  return [...contacts].map((id) => ({
    contact_id: id,
    reply_ids: replies.filter((reply) => reply.contact_id === id).map((reply) => reply.id),
    message_ids: answers.filter((answer) => answer.contact_id === id).flatMap((answer) => answer.message_id ?? []),
  }));
}

/** What waits for the person is not sent any more. */
async function eraseAnswers(tx: WorkspaceScope, email: string, enrollments: Sql): Promise<ErasedAnswer[]> {
  const contents = sql`SELECT content.message_id FROM message_contents content
    WHERE content.workspace_id = ${tx} AND content.enrollment_id IN (${enrollments}) AND content.to_address = ${email}`;
  await tx.execute(
    sql`DELETE FROM queued_messages message
        WHERE message.workspace_id = ${tx} AND message.enrollment_id IN (${enrollments}) AND message.id IN (${contents})`,
  );
  const sent = await tx.query<ErasedAnswer>(
    sql`UPDATE messages message SET subject = NULL, reason = NULL, soft_bounced_address = NULL
        WHERE message.workspace_id = ${tx} AND message.enrollment_id IN (${enrollments}) AND message.id IN (${contents})
        RETURNING message.message_id, message.contact_id`,
  );
  await tx.execute(
    sql`UPDATE message_contents SET to_address = ${ERASED}, subject = '', body = '', thread = '{}'
        WHERE workspace_id = ${tx} AND enrollment_id IN (${enrollments}) AND to_address = ${email}`,
  );
  return sent;
}

const escapeRegularExpression = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
