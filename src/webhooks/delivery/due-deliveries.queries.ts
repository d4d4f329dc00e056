import { type Sql, sql } from '../../platform/database/index.js';
import { LEASE_SECONDS } from '../../platform/queue/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { eventOf } from '../webhook-event.queries.js';

/** A webhook whose deliveries are this worker's until it gives them back. */
export interface LeasedWebhook {
  readonly is_active: boolean;
}

const deliveriesOf = (workspace: Sql): Sql => sql`
  SELECT 1 FROM webhook_deliveries delivery
  WHERE delivery.workspace_id = ${workspace} AND delivery.webhook_id = webhook.id AND delivery.next_attempt_at <= now()`;

/** The row `webhook` has something that may go now. An inactive one only gets what somebody has asked for. */
export const hasDue = (workspace: Sql): Sql => sql`CASE WHEN webhook.is_active
  THEN coalesce(webhook.paused_until <= now(), TRUE) AND EXISTS (${deliveriesOf(workspace)})
  ELSE EXISTS (${deliveriesOf(workspace)} AND delivery.forced) END`;

/** The row `webhook` is no living worker's. */
export const isFree: Sql = sql`coalesce(webhook.lease_until <= now(), TRUE)`;

/** Takes what is due for a webhook, unless another worker has it or nothing may go. */
export async function leaseWebhook(
  scope: WorkspaceScope,
  webhookId: number,
  worker: string,
): Promise<LeasedWebhook | undefined> {
  const [leased] = await scope.query<LeasedWebhook & { is_active: boolean }>(
    sql`UPDATE webhooks webhook SET leased_by = ${worker}, lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
        WHERE webhook.workspace_id = ${scope} AND webhook.id = ${webhookId} AND ${isFree} AND ${hasDue(sql`${scope}`)}
        RETURNING webhook.is_active`.prepared(),
  );
  return leased;
}

/** Gives it back. @returns whether more is due */
export async function releaseWebhook(scope: WorkspaceScope, webhookId: number, worker: string): Promise<boolean> {
  const [leased] = await scope.query<{ more: boolean }>(
    sql`UPDATE webhooks webhook SET leased_by = NULL, lease_until = NULL
        WHERE webhook.workspace_id = ${scope} AND webhook.id = ${webhookId} AND webhook.leased_by = ${worker}
        RETURNING ${hasDue(sql`${scope}`)} AS more`.prepared(),
  );
  return leased?.more ?? false;
}

/** A delivery that is due, with what it tells. */
export interface DueDelivery {
  readonly id: number;
  readonly delivery_id: string;
  readonly event: string;
  readonly body: string;
}

const MAX_DELIVERIES_READ = 100;

/** Bytes of bodies that are read ahead, beyond the first. */
const MAX_BYTES_READ_AHEAD = 1_048_576;

/** Deliveries that are due, the longest first. @param underWay those that are being delivered */
export function dueDeliveries(
  scope: WorkspaceScope,
  leased: LeasedWebhook & { readonly webhook_id: number },
  underWay: readonly number[],
): Promise<DueDelivery[]> {
  const onlyForced = leased.is_active ? sql.empty : sql` AND forced`;
  return scope.query<DueDelivery & { id: number }>(
    sql`WITH due AS (
          SELECT id, delivery_id, event_id, event_created_at, next_attempt_at FROM webhook_deliveries
          WHERE workspace_id = ${scope} AND webhook_id = ${leased.webhook_id} AND next_attempt_at <= now()${onlyForced}
            AND NOT (id = ANY(${[...underWay]}::bigint[]))
          ORDER BY next_attempt_at, id LIMIT ${MAX_DELIVERIES_READ}
        ), told AS (
          SELECT due.id, due.delivery_id, event.event, event.payload::text AS body,
            row_number() OVER in_turn AS place, sum(octet_length(event.payload::text)) OVER in_turn AS bytes
          FROM due CROSS JOIN ${eventOf(scope, sql`due`)} event
          WINDOW in_turn AS (ORDER BY due.next_attempt_at, due.id)
        )
        SELECT id, delivery_id, event, body FROM told WHERE place = 1 OR bytes <= ${MAX_BYTES_READ_AHEAD} ORDER BY place`,
  );
}

/** What an attempt at a delivery needs that may have changed since it was due. */
export interface Target {
  readonly id: number;
  readonly url: string;
  /** Sealed. */
  readonly secret: string;
  /** The number of the attempt that is to be made now. */
  readonly attempt: number;
}

/**
 * The last look before attempts: what was changed, turned off or deleted until now counts. Deliveries that must not go
 * any more are left out.
 */
export function findTargets(scope: WorkspaceScope, ids: readonly number[]): Promise<Target[]> {
  return scope.query<Target & { id: number }>(
    sql`SELECT delivery.id, delivery.attempts + 1 AS attempt, webhook.url, webhook.secret
        FROM webhook_deliveries delivery
        JOIN webhooks webhook ON webhook.workspace_id = ${scope} AND webhook.id = delivery.webhook_id
        WHERE delivery.workspace_id = ${scope} AND delivery.id = ANY(${[...ids]}::bigint[])
          AND (webhook.is_active OR delivery.forced)`.prepared(),
  );
}
