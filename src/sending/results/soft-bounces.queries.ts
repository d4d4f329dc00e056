import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';

/** How many soft bounces in a row, with nothing delivered, opened, clicked or replied to since the first, a contact may have. */
const MAX_SOFT_BOUNCES = 5;

/**
 * Marks messages that have ended in a soft bounce at the present address of their contact. The contacts are locked first,
 * so that of several soft bounces at the same time the last one sees the others.
 * @returns the contacts that are unreachable now
 */
export async function setSoftBounced(scope: WorkspaceScope, messageIds: readonly number[]): Promise<number[]> {
  const locked = await scope.query<{ id: number }>(
    sql`SELECT id FROM contacts WHERE workspace_id = ${scope} AND id IN (
          SELECT contact_id FROM messages WHERE workspace_id = ${scope} AND id = ANY(${[...messageIds]}::bigint[]))
        ORDER BY id FOR NO KEY UPDATE`,
  );
  await scope.execute(
    sql`UPDATE messages message SET soft_bounced_at = ${scope.now}, soft_bounced_address = contact.email
        FROM contacts contact
        WHERE message.workspace_id = ${scope} AND message.id = ANY(${[...messageIds]}::bigint[])
          AND contact.workspace_id = ${scope} AND contact.id = message.contact_id`,
  );
  return scope.queryIds(
    unreachableAmong(
      scope,
      locked.map(({ id }) => id),
    ),
  );
}

/**
 * SELECT of those of the contacts that are unreachable. It reads the enrollments of each contact, and their messages, by
 * indexes. A message that no server has accepted or refused, or that was refused for its content, is no send.
 */
export const unreachableAmong = (scope: WorkspaceScope, contactIds: readonly number[]): Sql => sql`
  SELECT contact.id FROM contacts contact CROSS JOIN LATERAL (
    SELECT count(*) FILTER (WHERE latest.soft_bounced_address = contact.email) AS soft_bounces, min(latest.ended_at) AS since
    FROM (
      SELECT message.soft_bounced_address, coalesce(message.sent_at, message.bounced_at, message.soft_bounced_at) AS ended_at
      FROM enrollments enrollment
      JOIN messages message ON message.workspace_id = ${scope} AND message.enrollment_id = enrollment.id
      WHERE enrollment.workspace_id = ${scope} AND enrollment.contact_id = contact.id
        AND coalesce(message.sent_at, message.bounced_at, message.soft_bounced_at) IS NOT NULL
      ORDER BY 2 DESC, message.id DESC LIMIT ${MAX_SOFT_BOUNCES}
    ) latest
  ) sends
  WHERE contact.workspace_id = ${scope} AND contact.id = ANY(${[...contactIds]}::bigint[])
    AND sends.soft_bounces = ${MAX_SOFT_BOUNCES}
    AND NOT EXISTS (
      SELECT 1 FROM enrollments enrollment
      JOIN messages message ON message.workspace_id = ${scope} AND message.enrollment_id = enrollment.id
      WHERE enrollment.workspace_id = ${scope} AND enrollment.contact_id = contact.id
        AND greatest(message.delivered_at, message.opened_at, message.clicked_at, message.replied_at) >= sends.since)`;
