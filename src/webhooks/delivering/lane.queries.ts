import { type Sql, sql } from '../../platform/database/index.js';
import { LEASE_SECONDS } from '../../platform/queue/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { eventOf } from '../webhook-event.queries.js';

/** A webhook whose deliveries are this worker's until it gives them back. */
export interface TakenLane {
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
export async function takeLane(
  scope: WorkspaceScope,
  webhookId: number,
  worker: string,
): Promise<TakenLane | undefined> {
  const [lane] = await scope.query<TakenLane & { is_active: boolean }>(
    sql`UPDATE webhooks webhook SET leased_by = ${worker}, lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
        WHERE webhook.workspace_id = ${scope} AND webhook.id = ${webhookId} AND ${isFree} AND ${hasDue(sql`${scope}`)}
        RETURNING webhook.is_active`.prepared(),
  );
  return lane;
}

/** Gives it back. @returns whether more is due */
export async function giveBackLane(scope: WorkspaceScope, webhookId: number, worker: string): Promise<boolean> {
  const [lane] = await scope.query<{ more: boolean }>(
    sql`UPDATE webhooks webhook SET leased_by = NULL, lease_until = NULL
        WHERE webhook.workspace_id = ${scope} AND webhook.id = ${webhookId} AND webhook.leased_by = ${worker}
        RETURNING ${hasDue(sql`${scope}`)} AS more`.prepared(),
  );
  return lane?.more ?? false;
}

/** The deliveries that are due, the longest first. @param underWay those that are being delivered */
export async function dueDeliveries(
  scope: WorkspaceScope,
  lane: TakenLane & { readonly webhook_id: number },
  underWay: readonly number[],
  most: number,
): Promise<number[]> {
  const asked = lane.is_active ? sql.empty : sql` AND forced`;
  const due = await scope.query<{ id: number }>(
    sql`SELECT id FROM webhook_deliveries
        WHERE workspace_id = ${scope} AND webhook_id = ${lane.webhook_id} AND next_attempt_at <= now()${asked}
          AND NOT (id = ANY(${[...underWay]}::bigint[]))
        ORDER BY next_attempt_at, id LIMIT ${most}`,
  );
  return due.map(({ id }) => id);
}

/** A delivery with all that an attempt needs. */
export interface ReadyDelivery {
  readonly id: number;
  readonly webhook_id: number;
  readonly delivery_id: string;
  readonly event: string;
  readonly body: string;
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
export function lookUp(scope: WorkspaceScope, ids: readonly number[]): Promise<ReadyDelivery[]> {
  return scope.query<ReadyDelivery & { id: number }>(
    sql`SELECT delivery.id, delivery.webhook_id, delivery.delivery_id, delivery.attempts + 1 AS attempt,
          webhook.url, webhook.secret, event.event, event.payload::text AS body
        FROM webhook_deliveries delivery
        JOIN webhooks webhook ON webhook.workspace_id = ${scope} AND webhook.id = delivery.webhook_id
        CROSS JOIN ${eventOf(scope, sql`delivery`)} event
        WHERE delivery.workspace_id = ${scope} AND delivery.id = ANY(${[...ids]}::bigint[])
          AND (webhook.is_active OR delivery.forced)`.prepared(),
  );
}
