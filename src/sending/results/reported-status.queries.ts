import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { reportedFrom, type ResultStatus } from '../message.entity.js';
import { UPDATED_COLUMNS, type UpdatedMessage } from './updated-message.js';

/** The dates of a message that are set once, in any status. */
export type OnceColumn = 'opened_at' | 'clicked_at' | 'replied_at' | 'unsubscribed_at';

const isReportable = (status: ResultStatus): Sql => sql`message.status = ANY(${reportedFrom(status)}::text[])`;

/** Sets messages to `delivered`, unless a later status is known. */
export function setDelivered(scope: WorkspaceScope, ids: readonly number[], at: Sql): Promise<UpdatedMessage[]> {
  return update(scope, ids, sql`status = 'delivered', delivered_at = ${at}`, isReportable('delivered'));
}

/** Sets sent messages to `bounced`, whatever the report says of their addresses. */
export function setBounced(
  scope: WorkspaceScope,
  ids: readonly number[],
  reason: string,
  at: Sql,
): Promise<UpdatedMessage[]> {
  const set = sql`status = 'bounced', reason = ${reason}, bounced_at = ${at}`;
  return update(scope, ids, set, isReportable('bounced'));
}

/** Sets sent messages to `complained`; only the first report counts. */
export function setComplained(scope: WorkspaceScope, ids: readonly number[], at: Sql): Promise<UpdatedMessage[]> {
  const unreported = sql`message.sent_at IS NOT NULL AND message.complained_at IS NULL`;
  return update(scope, ids, sql`status = 'complained', complained_at = ${at}`, unreported);
}

/**
 * Sets when the recipients unsubscribed through these messages. A report that is older than the stored one is ignored.
 */
export function setUnsubscribed(scope: WorkspaceScope, ids: readonly number[], at: Sql): Promise<UpdatedMessage[]> {
  const isNewer = sql`message.unsubscribed_at IS NULL OR message.unsubscribed_at < ${at}`;
  return update(scope, ids, sql`unsubscribed_at = ${at}`, isNewer);
}

/**
 * Sets a date where it is null, also of a message whose result is not recorded yet. A message that moves meanwhile is in
 * the next table that is tried: with its result it moves to `messages`, and back with a retry.
 * @returns the messages where it was null
 */
export async function setOnce(
  scope: WorkspaceScope,
  ids: readonly number[],
  column: OnceColumn,
  at: Sql,
): Promise<UpdatedMessage[]> {
  const set = sql`${sql.ref(column)} = ${at}`;
  const where = sql`message.${sql.ref(column)} IS NULL`;
  const updated: UpdatedMessage[] = [];
  for (const table of [sql`messages`, sql`queued_messages`, sql`messages`]) {
    if (updated.length < ids.length) updated.push(...(await updateIn(scope, table, ids, { set, where })));
  }
  return updated;
}

/** Most reports are about messages that were sent. */
const update = (scope: WorkspaceScope, ids: readonly number[], set: Sql, where: Sql): Promise<UpdatedMessage[]> =>
  updateIn(scope, sql`messages`, ids, { set, where });

function updateIn(
  scope: WorkspaceScope,
  table: Sql,
  ids: readonly number[],
  { set, where }: { readonly set: Sql; readonly where: Sql },
): Promise<UpdatedMessage[]> {
  return scope.query<UpdatedMessage>(
    sql`UPDATE ${table} message SET ${set}, updated_at = ${scope.now}
        WHERE message.workspace_id = ${scope} AND message.id = ANY(${[...ids]}::bigint[]) AND (${where})
        RETURNING ${UPDATED_COLUMNS}`,
  );
}
