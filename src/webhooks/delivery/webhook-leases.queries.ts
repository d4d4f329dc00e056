import { isLeaseOver, LEASE_SECONDS } from '@outreach/job-queue';
import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';

/** A webhook that one worker has leased: no other worker delivers to it. */
export interface LeasedWebhook {
  readonly is_active: boolean;
}

const dueDeliveriesOf = (workspace: Sql, now: Sql): Sql => sql`
  SELECT 1 FROM webhook_deliveries delivery
  WHERE delivery.workspace_id = ${workspace} AND delivery.webhook_id = webhook.id AND delivery.next_attempt_at <= ${now}`;

/**
 * The condition that the row `webhook` has a delivery that may be attempted now. While the circuit is open there is none.
 * An inactive webhook receives only deliveries that a user has requested.
 * @param workspace the ID of its workspace
 * @param now the time of its workspace
 */
const hasDueDelivery = (workspace: Sql, now: Sql): Sql => sql`CASE WHEN webhook.is_active
  THEN coalesce(webhook.paused_until <= ${now}, TRUE) AND EXISTS (${dueDeliveriesOf(workspace, now)})
  ELSE EXISTS (${dueDeliveriesOf(workspace, now)} AND delivery.forced) END`;

/**
 * SQL of when the first delivery of a webhook may be attempted by {@link hasDueDelivery}; null if it has none.
 * @param workspace the ID of its workspace
 * @param webhook the name of its row
 */
export const nextDeliveryAt = (workspace: Sql, webhook: Sql): Sql => {
  const next = (isEligible: Sql): Sql => sql`(SELECT delivery.next_attempt_at FROM webhook_deliveries delivery
    WHERE delivery.workspace_id = ${workspace} AND delivery.webhook_id = ${webhook}.id AND ${isEligible}
    ORDER BY delivery.next_attempt_at LIMIT 1)`;
  return sql`CASE WHEN NOT ${webhook}.is_active THEN ${next(sql`delivery.forced`)} ELSE (
    SELECT greatest(first.next_attempt_at, ${webhook}.paused_until) FROM ${next(sql`TRUE`)} first) END`;
};

/** The condition that no live worker has leased the row `webhook`. */
const isNotLeased: Sql = sql`(webhook.lease_until IS NULL OR ${isLeaseOver(sql`webhook`)})`;

/**
 * The condition that a worker may lease the row `webhook` now. The deliveries of a leased webhook are not read: its worker is
 * deleting the oldest ones, whose entries stay in the index until they are vacuumed.
 */
export const isNotLeasedAndHasDueDelivery = (workspace: Sql, now: Sql): Sql =>
  sql`CASE WHEN ${isNotLeased} THEN ${hasDueDelivery(workspace, now)} ELSE FALSE END`;

/** Leases a webhook. @returns undefined if another worker has leased it, or if it has no due delivery */
export async function leaseWebhook(
  scope: WorkspaceScope,
  webhookId: number,
  worker: string,
): Promise<LeasedWebhook | undefined> {
  const [leased] = await scope.query<LeasedWebhook & { is_active: boolean }>(
    sql`UPDATE webhooks webhook SET leased_by = ${worker}, lease_until = ${sql.realNow} + make_interval(secs => ${LEASE_SECONDS})
        WHERE webhook.workspace_id = ${scope} AND webhook.id = ${webhookId}
          AND ${isNotLeasedAndHasDueDelivery(sql`${scope}`, scope.now)}
        RETURNING webhook.is_active`.prepared(),
  );
  return leased;
}

/** Ends the lease of a worker. @returns whether the webhook still has a due delivery */
export async function releaseWebhook(scope: WorkspaceScope, webhookId: number, worker: string): Promise<boolean> {
  const [released] = await scope.query<{ more: boolean }>(
    sql`UPDATE webhooks webhook SET leased_by = NULL, lease_until = NULL
        WHERE webhook.workspace_id = ${scope} AND webhook.id = ${webhookId} AND webhook.leased_by = ${worker}
        RETURNING ${hasDueDelivery(sql`${scope}`, scope.now)} AS more`.prepared(),
  );
  return released?.more ?? false;
}

/** Lets every worker lease the webhook when the lease of this worker expires, which it does not renew any more. */
export async function leaveWebhook(scope: WorkspaceScope, webhookId: number, worker: string): Promise<void> {
  await scope.execute(
    sql`UPDATE webhooks SET leased_by = NULL
        WHERE workspace_id = ${scope} AND id = ${webhookId} AND leased_by = ${worker}`,
  );
}
