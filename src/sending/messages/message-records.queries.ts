import { type Sql, sql } from '../../platform/database/index.js';
import type { ScopedRepository, WorkspaceScope } from '../../platform/tenancy/index.js';
import { Message } from '../message.entity.js';
import type { MessageListQuery } from './message-list.query.js';
import type { MessageRecord } from './message.view.js';

/** A message with the current address and names of its contact. */
export type ExportedMessage = MessageRecord & {
  readonly first_name: string | null;
  readonly last_name: string | null;
};

/** A column of the contact of `record`. */
const ofContact = (scope: WorkspaceScope, column: 'email' | 'first_name' | 'last_name'): Sql =>
  sql`(SELECT contact.${sql.ref(column)} FROM contacts contact
       WHERE contact.workspace_id = ${scope} AND contact.id = record.contact_id) AS ${sql.ref(column)}`;

/** A repository of the messages with the addresses of their contacts. */
export const messageRecords = (scope: WorkspaceScope): ScopedRepository<Message, Pick<MessageRecord, 'email'>> =>
  scope.of(Message).withColumns(sql`, ${ofContact(scope, 'email')}`);

/** A repository of the messages with the addresses and names of their contacts. */
export const exportedMessages = (
  scope: WorkspaceScope,
): ScopedRepository<Message, Pick<ExportedMessage, 'email' | 'first_name' | 'last_name'>> =>
  scope
    .of(Message)
    .withColumns(
      sql`, ${ofContact(scope, 'email')}, ${ofContact(scope, 'first_name')}, ${ofContact(scope, 'last_name')}`,
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
