import { Contact, type ContactsUnsubscribed } from '../../contacts/index.js';
import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { Message } from '../message.entity.js';
import type { BotActivities, MessagesEvent } from '../sending.events.js';
import type { EmailBotActivityRow, EmailEventRow } from './email-event.view.js';

type OfMessage = Pick<
  Message,
  'message_id' | 'campaign_id' | 'step_id' | 'variant_id' | 'enrollment_id' | 'email_account_id' | 'subject'
>;

const NO_MESSAGE = {
  message_id: null,
  campaign_id: null,
  step_id: null,
  variant_id: null,
  enrollment_id: null,
  email_account_id: null,
  subject: null,
};

/** Yields one row per message, in batches. */
export function emailEvents(scope: WorkspaceScope, event: MessagesEvent): AsyncGenerator<readonly EmailEventRow[]> {
  const { messages, occurred_at: occurredAt } = event;
  const extras = sql`, (SELECT contact.email FROM contacts contact
    WHERE contact.workspace_id = ${scope} AND contact.id = record.contact_id) AS email,
      ${instant(scope, occurredAt)} AS occurred_at`;
  return scope.of(Message).withColumns<Pick<EmailEventRow, 'email' | 'occurred_at'>>(extras).iterate(messages);
}

/** Yields one row per request of a bot, in their order, all at once: one transaction records at most a few hundred. */
export async function* botActivityEvents(
  scope: WorkspaceScope,
  { activities }: BotActivities,
): AsyncGenerator<readonly EmailBotActivityRow[]> {
  yield await scope.query<EmailBotActivityRow>(
    sql`SELECT message.message_id, message.campaign_id, message.step_id, message.variant_id, message.enrollment_id,
          message.contact_id, contact.email, message.email_account_id, message.subject,
          activity.type, activity.url, activity.bot_reason, activity.occurred_at
        FROM unnest(${activities.map(({ message_id: id }) => id)}::bigint[], ${activities.map(({ type }) => type)}::text[],
          ${activities.map(({ url }) => url)}::text[], ${activities.map(({ bot_reason: reason }) => reason)}::text[],
          ${activities.map(({ occurred_at: at }) => at)}::timestamptz[])
          WITH ORDINALITY AS activity (message_id, type, url, bot_reason, occurred_at, position)
        JOIN all_messages message ON message.workspace_id = ${scope} AND message.id = activity.message_id
        JOIN contacts contact ON contact.workspace_id = ${scope} AND contact.id = message.contact_id
        ORDER BY activity.position`,
  );
}

/**
 * Yields one row per contact who unsubscribed, in batches, with the message through which they did, if there is one.
 */
export async function* unsubscribes(
  scope: WorkspaceScope,
  { contacts, through }: ContactsUnsubscribed,
): AsyncGenerator<readonly EmailEventRow[]> {
  const message = through ? lastMessage(scope, through) : sql`NULL::json`;
  const extras = sql`, ${message} AS message, ${instant(scope)} AS occurred_at`;
  const found = scope
    .of(Contact)
    .withColumns<{ message: OfMessage | null; occurred_at: Date }>(extras)
    .iterate(contacts);
  for await (const batch of found) {
    yield batch.map(({ id, email, message: of, occurred_at: at }) => ({
      ...(of ?? NO_MESSAGE),
      contact_id: id,
      email,
      occurred_at: at,
    }));
  }
}

const instant = (scope: WorkspaceScope, at?: Date): Sql => sql`${at ?? scope.now}::timestamptz`;

/** Selects the latest of these messages to the contact. */
const lastMessage = (scope: WorkspaceScope, messages: Sql): Sql =>
  sql`(SELECT json_build_object('message_id', message.message_id, 'campaign_id', message.campaign_id,
              'step_id', message.step_id, 'variant_id', message.variant_id, 'enrollment_id', message.enrollment_id,
              'email_account_id', message.email_account_id, 'subject', message.subject)
       FROM all_messages message
       WHERE message.workspace_id = ${scope} AND message.contact_id = record.id AND ${sql.among(sql`message.id`, messages)}
       ORDER BY message.id DESC LIMIT 1)`;
