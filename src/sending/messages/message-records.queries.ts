import { type Sql, sql } from '../../platform/database/index.js';
import type { ScopedRepository, WorkspaceScope } from '../../platform/tenancy/index.js';
import { Message } from '../message.entity.js';
import type { MessageListQuery } from './message-list.query.js';
import type { MessageColumns, MessageRecord } from './message.view.js';
import { unstoredReason } from '../rules/index.js';

export type ExportedMessage = MessageRecord & {
  readonly first_name: string | null;
  readonly last_name: string | null;
};

const ofContact = (scope: WorkspaceScope, column: 'email' | 'first_name' | 'last_name'): Sql =>
  sql`(SELECT contact.${sql.ref(column)} FROM contacts contact
       WHERE contact.workspace_id = ${scope} AND contact.id = record.contact_id) AS ${sql.ref(column)}`;

/**
 * Why `record`, which is due, waits for its account although that is not stored: it would change all waiting messages of the
 * account after each one that is sent.
 */
const unstoredReasonOf = (scope: WorkspaceScope): Sql => sql`CASE WHEN record.status = 'queued' THEN (
  SELECT ${unstoredReason(scope)} FROM queued_messages waiting
  JOIN email_accounts account ON account.workspace_id = ${scope} AND account.id = waiting.email_account_id
  WHERE waiting.workspace_id = ${scope} AND waiting.id = record.id AND waiting.lease_until IS NULL
    AND waiting.next_attempt_at <= ${scope.now} AND account.is_active) END AS unstored_reason`;

/** A repository of the messages with {@link MessageColumns}. */
export const messageRecords = (scope: WorkspaceScope): ScopedRepository<Message, MessageColumns> =>
  scope.of(Message).withColumns(sql`, ${ofContact(scope, 'email')}, ${unstoredReasonOf(scope)}`);

export const exportedMessages = (
  scope: WorkspaceScope,
): ScopedRepository<Message, MessageColumns & Pick<ExportedMessage, 'first_name' | 'last_name'>> =>
  scope.of(Message).withColumns(
    sql`, ${ofContact(scope, 'email')}, ${unstoredReasonOf(scope)}, ${ofContact(scope, 'first_name')},
        ${ofContact(scope, 'last_name')}`,
  );

export type MessageWithContent = MessageRecord & {
  readonly to: string | null;
  readonly html: string | null;
};

const ofContent = (scope: WorkspaceScope, column: 'to_address' | 'body', name: string): Sql =>
  sql`(SELECT content.${sql.ref(column)} FROM message_contents content
       WHERE content.workspace_id = ${scope} AND content.message_id = record.id) AS ${sql.ref(name)}`;

/** A repository of the messages with the content that is stored of them. */
export const messagesWithContent = (
  scope: WorkspaceScope,
): ScopedRepository<Message, MessageColumns & Pick<MessageWithContent, 'to' | 'html'>> =>
  scope.of(Message).withColumns(
    sql`, ${ofContact(scope, 'email')}, ${unstoredReasonOf(scope)}, ${ofContent(scope, 'to_address', 'to')},
        ${ofContent(scope, 'body', 'html')}`,
  );

/** The conditions on `record` that it is a message of the campaign, in addition to those of the query. */
export const messagesOf = (
  scope: WorkspaceScope,
  campaignId: number,
  { contact_id: contactId }: MessageListQuery,
): Sql[] => {
  const ofCampaign = sql`record.campaign_id = ${campaignId}`;
  if (!contactId) return [ofCampaign];
  return [
    ofCampaign,
    sql`record.enrollment_id = (SELECT id FROM enrollments
        WHERE workspace_id = ${scope} AND campaign_id = ${campaignId} AND contact_id = ${contactId})`,
  ];
};
