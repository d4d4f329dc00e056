import type { StatementPart } from '@outreach/database';
import { type Sql, sql } from '../../platform/database/index.js';
import { rangeEnd, rangeStart } from '../../platform/tenancy/index.js';
import type { RedeliverWebhookDto } from '../dto/redeliver-webhook.dto.js';
import { TEST_EVENT } from '../event-names.js';
import { eventOf } from '../webhook-event.queries.js';
import { type LogOwner, oldestInstant } from './logs.queries.js';

/** The largest number of deliveries that one request sends again, in one transaction. */
export const MAX_REDELIVERIES = 10_000;

/** The `delivery_id` of the first delivery of an event. */
const ORIGINAL = sql`coalesce(original_delivery_id, delivery_id)`;

/** The key of a log. */
export interface LogKey {
  readonly id: number;
  readonly created_at: Date;
}

/**
 * Returns the logs of the last attempts of deliveries, one more than {@link MAX_REDELIVERIES} if there are more. The attempts
 * of redeliveries are those of the first delivery. It reads all logs since the start of the range, because a later attempt may
 * be after its end.
 */
export function findLastAttempts(owner: LogOwner, range: RedeliverWebhookDto): Promise<LogKey[]> {
  const { scope, webhook_id: webhookId } = owner;
  const isSelected: Sql[] = [sql`created_at <= ${rangeEnd(range.to)}::timestamptz`];
  if (typeof range.success === 'boolean') isSelected.push(sql`success = ${range.success}`);
  const ofEvent = range.event ? sql`event = ${range.event}` : sql`event <> ${TEST_EVENT}`;
  return scope.search<LogKey & { id: number }>(
    sql`SELECT id, created_at FROM (
          SELECT DISTINCT ON (${ORIGINAL}) id, created_at, success FROM webhook_logs
          WHERE workspace_id = ${scope} AND webhook_id = ${webhookId} AND ${ofEvent}
            AND created_at >= greatest(${rangeStart(range.from)}::timestamptz, ${oldestInstant(scope)})
          ORDER BY ${ORIGINAL}, id DESC) last_attempt
        WHERE ${sql.all(isSelected)} ORDER BY id LIMIT ${MAX_REDELIVERIES + 1}`,
  );
}

/**
 * Delivers the events of these logs again, also to an inactive webhook. A delivery that waits for its next attempt, or its
 * redelivery that waits, is made due, so that the receiver does not get it twice; of the others, the event is copied, like that
 * of a single redelivery. The webhook must be locked.
 *
 * @returns how many deliveries are due now
 */
export async function redeliverAll(owner: LogOwner, logs: readonly LogKey[]): Promise<number> {
  const [row] = await owner.scope.inParts<{ count: number }>(
    [...hastened(owner, logs), ...repeated(owner)],
    sql`SELECT ((SELECT count(DISTINCT original_id) FROM hastened) + (SELECT count(*) FROM delivered))::int AS count`,
  );
  return row?.count ?? 0;
}

/** The parts of a statement that find the logs, and make their deliveries due that wait. */
function hastened({ scope, webhook_id: webhookId }: LogOwner, logs: readonly LogKey[]): StatementPart[] {
  const chosen = {
    name: 'chosen',
    statement: sql`SELECT log.id, ${ORIGINAL} AS original_id, log.event_id, log.event_created_at
      FROM unnest(${logs.map(({ id }) => id)}::bigint[], ${logs.map((log) => log.created_at)}::timestamptz[])
        AS last_attempt (id, created_at)
      CROSS JOIN LATERAL (
        SELECT * FROM webhook_logs WHERE workspace_id = ${scope} AND webhook_id = ${webhookId}
          AND id = last_attempt.id AND created_at = last_attempt.created_at LIMIT 1) log`,
    columns: sql`id bigint, original_id uuid, event_id bigint, event_created_at timestamptz`,
  };
  const due = {
    name: 'hastened',
    statement: sql`UPDATE webhook_deliveries delivery
      SET forced = TRUE, next_attempt_at = least(delivery.next_attempt_at, ${scope.now})
      FROM chosen WHERE delivery.workspace_id = ${scope} AND delivery.webhook_id = ${webhookId}
        AND ${ORIGINAL} = chosen.original_id
      RETURNING chosen.original_id`,
    columns: sql`original_id uuid`,
  };
  return [chosen, due];
}

/** The parts of a statement that copy the events of the others, and insert a delivery of each. */
function repeated({ scope, webhook_id: webhookId }: LogOwner): StatementPart[] {
  const events = {
    name: 'repeated',
    with: sql`numbered AS MATERIALIZED (
        SELECT nextval('webhook_events_id_seq') AS id, in_order.* FROM (
          SELECT original_id, event_id, event_created_at FROM chosen
          WHERE original_id NOT IN (SELECT hastened.original_id FROM hastened) ORDER BY chosen.id) in_order
      )`,
    statement: sql`SELECT numbered.id, numbered.original_id, event.event, event.contact_id, event.payload
      FROM numbered CROSS JOIN ${eventOf(scope, sql`numbered`)} event`,
    columns: sql`id bigint, original_id uuid, event text, contact_id bigint, payload json`,
  };
  const copied = {
    name: 'copied',
    statement: sql`INSERT INTO webhook_events (workspace_id, id, event, contact_id, payload, created_at)
      SELECT ${scope}, id, event, contact_id, payload, ${scope.now} FROM repeated
      RETURNING id, created_at`,
    columns: sql`id bigint, created_at timestamptz`,
  };
  const delivered = {
    name: 'delivered',
    statement: sql`INSERT INTO webhook_deliveries (workspace_id, webhook_id, event_id, event_created_at, delivery_id,
        original_delivery_id, forced, next_attempt_at, created_at)
      SELECT ${scope}, ${webhookId}, copied.id, copied.created_at, gen_random_uuid(), repeated.original_id, TRUE,
        ${scope.now}, ${scope.now}
      FROM copied JOIN repeated USING (id) ORDER BY copied.id RETURNING id`,
    columns: sql`id bigint`,
  };
  return [events, copied, delivered];
}
