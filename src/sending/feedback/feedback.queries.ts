import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { UPDATED_COLUMNS, type UpdatedMessage } from '../results/message-status.queries.js';
import type { MessageStatus } from '../message.entity.js';
import type { MessageRecipient } from '../results/recipient-effects.js';

/** The dates of a message that are set once, whatever its status. */
export type OnceColumn = 'opened_at' | 'clicked_at' | 'replied_at';

/** The messages of these enrollments that were composed, with their Message-IDs. */
export function findComposed(
  scope: WorkspaceScope,
  enrollmentIds: readonly number[],
): Promise<{ id: number; message_id: string }[]> {
  return scope.query(
    sql`SELECT id, message_id FROM messages
        WHERE workspace_id = ${scope} AND enrollment_id = ANY(${[...enrollmentIds]}::bigint[])
          AND message_id IS NOT NULL`,
  );
}

/** The recipient's server has them. Not those of which more is known already. */
export function recordEmailDelivered(
  scope: WorkspaceScope,
  ids: readonly number[],
  at: Sql,
): Promise<UpdatedMessage[]> {
  return updateMessages(scope, ids, sql`status = 'delivered', delivered_at = ${at}`, sql`message.status = 'sent'`);
}

/** They have come back. */
export function recordBounced(
  scope: WorkspaceScope,
  ids: readonly number[],
  bounced: { status: Extract<MessageStatus, 'bounced' | 'failed'>; reason: string; at: Sql },
): Promise<UpdatedMessage[]> {
  const { status, reason, at } = bounced;
  const bouncedAt = status === 'bounced' ? at : sql`message.bounced_at`;
  const set = sql`status = ${status}, reason = ${reason}, bounced_at = ${bouncedAt}`;
  return updateMessages(scope, ids, set, sql`message.status IN ('sent', 'delivered')`);
}

/** Their recipients have reported them as spam; the first report counts. */
export function recordComplained(scope: WorkspaceScope, ids: readonly number[], at: Sql): Promise<UpdatedMessage[]> {
  const unreported = sql`message.sent_at IS NOT NULL AND message.complained_at IS NULL`;
  return updateMessages(scope, ids, sql`status = 'complained', complained_at = ${at}`, unreported);
}

/** Their recipients unsubscribed through them. An older report than the one that counts changes nothing. */
export function recordUnsubscribed(scope: WorkspaceScope, ids: readonly number[], at: Sql): Promise<UpdatedMessage[]> {
  const isNews = sql`message.unsubscribed_at IS NULL OR message.unsubscribed_at < ${at}`;
  return updateMessages(scope, ids, sql`unsubscribed_at = ${at}`, isNews);
}

/** Sets a date where there is none. @returns the messages that had none */
export function recordOnce(
  scope: WorkspaceScope,
  ids: readonly number[],
  column: OnceColumn,
  at: Sql,
): Promise<UpdatedMessage[]> {
  return updateMessages(scope, ids, sql`${sql.ref(column)} = ${at}`, sql`message.${sql.ref(column)} IS NULL`);
}

function updateMessages(
  scope: WorkspaceScope,
  ids: readonly number[],
  set: Sql,
  where: Sql,
): Promise<UpdatedMessage[]> {
  return scope.query<UpdatedMessage>(
    sql`UPDATE messages message SET ${set}, updated_at = now()
        WHERE message.workspace_id = ${scope} AND message.id = ANY(${[...ids]}::bigint[]) AND (${where})
        RETURNING ${UPDATED_COLUMNS}`,
  );
}

/**
 * Whom messages were for, as far as a report about them holds for the address that the contact has now: it has not
 * changed since, or it is the one that the report names.
 */
export function recipientsAt(
  scope: WorkspaceScope,
  ids: readonly number[],
  address: string | undefined,
): Promise<MessageRecipient[]> {
  return scope.query<MessageRecipient & Record<string, unknown>>(
    sql`SELECT contact.id AS contact_id, contact.email FROM messages message
        JOIN contacts contact ON contact.workspace_id = ${scope} AND contact.id = message.contact_id
        WHERE message.workspace_id = ${scope} AND message.id = ANY(${[...ids]}::bigint[])
          AND (${address ?? null}::text IS NULL OR contact.email = lower(${address ?? null}::text)
            OR contact.updated_at <= message.sent_at)`,
  );
}
