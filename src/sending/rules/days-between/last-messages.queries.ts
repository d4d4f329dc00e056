import { type Sql, sql } from '../../../platform/database/index.js';
import type { WorkspaceScope } from '../../../platform/tenancy/index.js';

/** A message waits so long for the result of another one that is being sent to its contact. */
const RESULT_SECONDS = 60;

/** SELECT of the messages of a contact that were sent, through its enrollments: messages have no index by contact. */
const sentTo = (scope: WorkspaceScope, contactId: Sql): Sql => sql`enrollments known
  JOIN messages earlier ON earlier.workspace_id = ${scope} AND earlier.enrollment_id = known.id
  WHERE known.workspace_id = ${scope} AND known.contact_id = ${contactId}`;

const beingSentTo = (scope: WorkspaceScope, contactId: Sql): Sql => sql`EXISTS (
  SELECT 1 FROM enrollments known
  JOIN queued_messages other ON other.workspace_id = ${scope} AND other.enrollment_id = known.id AND other.status = 'sending'
  WHERE known.workspace_id = ${scope} AND known.contact_id = ${contactId})`;

/**
 * SELECT of the last message to each of the contacts, answers to their replies included.
 * @param contacts an array of their IDs
 */
export const selectLastMessages = (scope: WorkspaceScope, contacts: Sql): Sql =>
  sql`SELECT contact.id AS contact_id, last.sent_at, CASE WHEN ${beingSentTo(scope, sql`contact.id`)}
          THEN ${scope.now} + make_interval(secs => ${RESULT_SECONDS}) END AS result_by
      FROM unnest(${contacts}) AS contact (id)
      CROSS JOIN LATERAL (SELECT max(earlier.sent_at) AS sent_at FROM ${sentTo(scope, sql`contact.id`)}) last`;

/**
 * SQL condition: the contact of `message` has got a message within the days that `campaign` leaves between two, or one is
 * being sent to it. Reads nothing if the campaign has no such days.
 */
export const isTooRecent = (scope: WorkspaceScope): Sql => sql`CASE
  WHEN campaign.min_days_since_last_message IS NULL OR message.reply_id IS NOT NULL THEN FALSE
  ELSE ${beingSentTo(scope, sql`message.contact_id`)} OR EXISTS (
    SELECT 1 FROM ${sentTo(scope, sql`message.contact_id`)}
      AND earlier.sent_at > ${scope.now} - make_interval(hours => 24 * campaign.min_days_since_last_message)) END`;
