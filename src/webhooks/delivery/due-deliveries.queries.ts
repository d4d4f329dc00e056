import { sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { eventOf } from '../webhook-event.queries.js';
import { targetDigest } from '../webhooks.queries.js';
import type { LeasedWebhook } from './webhook-leases.queries.js';

/** A due delivery with the body of its event. */
export interface DueDelivery {
  readonly id: number;
  readonly delivery_id: string;
  readonly event: string;
  readonly body: string;
  /** When it became due, as text with all of its digits. */
  readonly due_at: string;
  /** The limit was reached, so others may be due after the last one. */
  readonly is_backlog: boolean;
}

/** The delivery that was read last. */
export type DueCursor = Pick<DueDelivery, 'id' | 'due_at'>;

/** How many deliveries are read at first: a slow receiver takes few of them during a run. */
export const FIRST_READ_LIMIT = 100;
/** How many of a backlog are read next. Planning the statement takes as long as reading a hundred. */
const MAX_READ_LIMIT = 500;

/** Limits the memory for bodies. The first body is read even if it is larger. */
const MAX_BYTES_READ = 1_048_576;

/** Which due deliveries are read. */
export interface DueRange {
  readonly inProgress: readonly number[];
  readonly after?: DueCursor | undefined;
  readonly limit: number;
}

/** Returns the limit of the next read: as many large bodies as fitted into the last one, else {@link MAX_READ_LIMIT}. */
export const nextReadLimit = (limit: number, read: number): number => (read < limit ? read : MAX_READ_LIMIT);

/**
 * Returns due deliveries of a leased webhook, those that have been due for the longest time first.
 * @param range.inProgress IDs of deliveries to leave out
 * @param range.after start after this one: the index has entries of deleted deliveries before it until it is vacuumed
 * @param range.limit how many at most
 */
export function findDueDeliveries(
  scope: WorkspaceScope,
  webhook: LeasedWebhook & { readonly webhook_id: number },
  { inProgress, after, limit }: DueRange,
): Promise<DueDelivery[]> {
  const onlyForced = webhook.is_active ? sql.empty : sql` AND forced`;
  const later = after
    ? sql` AND (next_attempt_at, id) > (${after.due_at}::timestamptz, ${after.id}::bigint)`
    : sql.empty;
  return scope.query<DueDelivery & { id: number }>(
    sql`WITH due AS (
          SELECT id, delivery_id, event_id, event_created_at, next_attempt_at FROM webhook_deliveries
          WHERE workspace_id = ${scope} AND webhook_id = ${webhook.webhook_id}
            AND next_attempt_at <= ${scope.now}${onlyForced}${later}
            AND NOT (id = ANY(${[...inProgress]}::bigint[]))
          ORDER BY next_attempt_at, id LIMIT ${limit}
        ), sized AS (
          SELECT due.id, due.delivery_id, due.next_attempt_at::text AS due_at, event.event, event.payload::text AS body,
            row_number() OVER by_due_time AS position, sum(octet_length(event.payload::text)) OVER by_due_time AS bytes,
            count(*) OVER () = ${limit} AS is_backlog
          FROM due CROSS JOIN ${eventOf(scope, sql`due`)} event
          WINDOW by_due_time AS (ORDER BY due.next_attempt_at, due.id)
        )
        SELECT id, delivery_id, due_at, event, body, is_backlog FROM sized
        WHERE position = 1 OR bytes <= ${MAX_BYTES_READ} ORDER BY position`,
  );
}

/** What an attempt needs and what may have changed since its delivery was read. */
export interface DeliveryTarget {
  readonly id: number;
  readonly url: string;
  /** Encrypted. */
  readonly secret: string;
  /** Of both. */
  readonly target_digest: string;
  /** The number of the next attempt; the first is 1. */
  readonly attempt: number;
}

/**
 * The preflight check: reads deliveries and their webhooks again, right before their attempts.
 * @returns no target for a delivery that was deleted, or whose webhook was deleted or made inactive
 */
export function findTargets(scope: WorkspaceScope, ids: readonly number[]): Promise<DeliveryTarget[]> {
  return scope.query<DeliveryTarget & { id: number }>(
    sql`SELECT delivery.id, delivery.attempts + 1 AS attempt, webhook.url, webhook.secret, ${targetDigest} AS target_digest
        FROM webhook_deliveries delivery
        JOIN webhooks webhook ON webhook.workspace_id = ${scope} AND webhook.id = delivery.webhook_id
        WHERE delivery.workspace_id = ${scope} AND delivery.id = ANY(${[...ids]}::bigint[])
          AND (webhook.is_active OR delivery.forced)`.prepared(),
  );
}
