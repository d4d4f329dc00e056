import { ERASED, withoutMentions } from '@outreach/personal-mentions';
import type { BackgroundSteps } from '@outreach/concurrency';
import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { WrittenByOthers } from '../../webhooks/index.js';
import { type DataSubject, emailsOf, namesOf } from './data-subject.js';

/** Replies that one transaction changes. */
const BATCH = 100;

/** Which events of others show what was erased, and where the next batch begins. */
export interface ErasedReplies {
  readonly written: readonly WrittenByOthers[];
  readonly next: number | undefined;
}

/**
 * Erases what the person has written in the place of other contacts, and the answers to it. The replies of the contact itself
 * are deleted with it.
 */
export async function eraseWrittenReplies(tx: WorkspaceScope, subject: DataSubject): Promise<ErasedReplies> {
  const emails = emailsOf(subject);
  const replies = await tx.query<FoundReply>(
    sql`SELECT id, contact_id, enrollment_id FROM replies
        WHERE workspace_id = ${tx} AND from_address = ANY(${emails}::text[]) ORDER BY id LIMIT ${BATCH} FOR UPDATE`,
  );
  const answers = await eraseAnswers(tx, emails, [...new Set(replies.map((reply) => reply.enrollment_id))]);
  await tx.execute(
    sql`UPDATE replies SET from_name = NULL, from_address = ${ERASED}, subject = '', text = '', received_message_id = NULL
        WHERE workspace_id = ${tx} AND id = ANY(${replies.map(({ id }) => id)}::bigint[])`,
  );
  return { written: byContact(replies, answers), next: replies.length === BATCH ? replies.at(-1)?.id : undefined };
}

/**
 * Replaces what tells of the person in the replies of others. The name stays in those of a contact with the same name.
 * @param after the ID of the last reply of the batch before
 * @param steps in which the replies are read, because they may be long
 */
export async function eraseMentions(
  tx: WorkspaceScope,
  subject: DataSubject,
  { after, steps }: { readonly after: number; readonly steps: BackgroundSteps },
): Promise<ErasedReplies> {
  const replies = await tx.query<MentioningReply>(
    sql`WITH found AS MATERIALIZED (
          SELECT id FROM replies reply WHERE reply.workspace_id = ${tx} AND (${mayMention(subject)})
        )
        SELECT reply.id, reply.contact_id, reply.subject, reply.text, contact.first_name, contact.last_name
        FROM replies reply JOIN contacts contact ON contact.workspace_id = ${tx} AND contact.id = reply.contact_id
        WHERE reply.workspace_id = ${tx} AND reply.id IN (SELECT id FROM found) AND reply.id > ${after}::bigint
        ORDER BY reply.id LIMIT ${BATCH} FOR UPDATE OF reply`,
  );
  const changedOf = (reply: MentioningReply): MentioningReply[] => {
    const withNames = namesOf(reply).join('\n') !== subject.names.join('\n');
    const erased = {
      ...reply,
      subject: withoutMentions(subject, reply.subject, { withNames }),
      text: withoutMentions(subject, reply.text, { withNames }),
    };
    return erased.subject === reply.subject && erased.text === reply.text ? [] : [erased];
  };
  const changed: MentioningReply[] = [];
  for await (const some of steps.map(tx.workspace_id, replies, changedOf)) changed.push(...some.flat());
  await tx.execute(
    sql`UPDATE replies reply SET subject = erased.subject, text = erased.text
        FROM unnest(${changed.map(({ id }) => id)}::bigint[], ${changed.map((each) => each.subject)}::text[],
          ${changed.map(({ text }) => text)}::text[]) AS erased (id, subject, text)
        WHERE reply.workspace_id = ${tx} AND reply.id = erased.id`,
  );
  return { written: byContact(changed, []), next: replies.length === BATCH ? replies.at(-1)?.id : undefined };
}

/** A condition on `reply` that the index of searched texts can answer; {@link withoutMentions} decides. */
const mayMention = ({ texts, names }: DataSubject): Sql => {
  const has = (text: string): Sql => {
    const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
    return sql`(reply.subject ILIKE ${pattern} OR reply.text ILIKE ${pattern})`;
  };
  const both = names.length > 0 ? [sql.all(names.map(has))] : [];
  return sql.join([...texts.map(has), ...both], ' OR ');
};

interface FoundReply extends Record<string, unknown> {
  readonly id: number;
  readonly contact_id: number;
  readonly enrollment_id: number;
}

interface MentioningReply extends Record<string, unknown> {
  readonly id: number;
  readonly contact_id: number;
  readonly subject: string;
  readonly text: string;
  readonly first_name: string | null;
  readonly last_name: string | null;
}

interface ErasedAnswer extends Record<string, unknown> {
  readonly message_id: string | null;
  readonly contact_id: number;
}

/** Returns whose events show the replies and the answers. */
function byContact(
  replies: readonly { readonly id: number; readonly contact_id: number }[],
  answers: readonly ErasedAnswer[],
): WrittenByOthers[] {
  const contacts = new Set([...replies, ...answers].map(({ contact_id: id }) => id));
  return [...contacts].map((id) => ({
    contact_id: id,
    reply_ids: replies.filter((reply) => reply.contact_id === id).map((reply) => reply.id),
    message_ids: answers.filter((answer) => answer.contact_id === id).flatMap((answer) => answer.message_id ?? []),
  }));
}

/** What waits for the person is not sent any more. */
async function eraseAnswers(
  tx: WorkspaceScope,
  emails: readonly string[],
  enrollments: readonly number[],
): Promise<ErasedAnswer[]> {
  const among = (column: Sql): Sql => sql`${column} = ANY(${[...enrollments]}::bigint[])`;
  const contents = sql`SELECT content.message_id FROM message_contents content
    WHERE content.workspace_id = ${tx} AND ${among(sql`content.enrollment_id`)}
      AND content.to_address = ANY(${[...emails]}::text[])`;
  await tx.execute(
    sql`DELETE FROM queued_messages message
        WHERE message.workspace_id = ${tx} AND ${among(sql`message.enrollment_id`)} AND ${sql.among(sql`message.id`, contents)}`,
  );
  const sent = await tx.query<ErasedAnswer>(
    sql`UPDATE messages message SET subject = NULL, reason = NULL, soft_bounced_address = NULL
        WHERE message.workspace_id = ${tx} AND ${among(sql`message.enrollment_id`)} AND ${sql.among(sql`message.id`, contents)}
        RETURNING message.message_id, message.contact_id`,
  );
  await tx.execute(
    sql`UPDATE message_contents SET to_address = ${ERASED}, subject = '', body = '', thread = '{}'
        WHERE workspace_id = ${tx} AND ${among(sql`enrollment_id`)} AND to_address = ANY(${[...emails]}::text[])`,
  );
  return sent;
}
