import type { StatementPart } from '@outreach/database';
import { NotFound } from '@outreach/http-errors';
import { type Sql, sql } from '../platform/database/index.js';
import type { ScopedRepository, WorkspaceScope } from '../platform/tenancy/index.js';
import { nextDeliveryAt } from './delivery/webhook-leases.queries.js';
import { Webhook } from './webhook.entity.js';

/** Limits the duration of the count of a webhook. */
const MAX_PENDING_COUNT = 10_000;

/** What the API shows of a webhook beside its columns. */
export interface WebhookColumns {
  /** Its deliveries that are due or wait for their next attempt, up to {@link MAX_PENDING_COUNT}. */
  readonly pending_count: number;
  /** Until when nothing is attempted; null if its deliveries do not wait for the end of a pause, or it is inactive. */
  readonly paused_until: Date | null;
  /** When the first of its deliveries may be attempted; null if none may be. */
  readonly next_attempt_at: Date | null;
}

/** A repository of the webhooks with {@link WebhookColumns}. */
export const webhookRecords = (scope: WorkspaceScope): ScopedRepository<Webhook, WebhookColumns> =>
  scope.of(Webhook).withColumns<WebhookColumns>(
    sql`, (SELECT count(*)::int FROM (SELECT 1 FROM webhook_deliveries delivery
            WHERE delivery.workspace_id = ${scope} AND delivery.webhook_id = record.id
            LIMIT ${sql.integer(MAX_PENDING_COUNT)}) pending) AS pending_count,
          CASE WHEN record.is_active AND record.paused_until > ${scope.now} THEN record.paused_until END AS paused_until,
          ${nextDeliveryAt(sql`${scope}`, sql`record`)} AS next_attempt_at`,
  );

/**
 * SQL of a digest of the URL and the secret of the row `webhook`. An attempt counts for the webhook only if they are still
 * those that it was made with. (They also differ after a rotation of keys, which encrypts the secret anew.)
 */
export const targetDigest: Sql = sql`md5(webhook.url || ' ' || webhook.secret)`;

/** The columns of a webhook that {@link lockWebhook} returns. */
export type LockedWebhook = Pick<Webhook, 'url' | 'is_active' | 'failure_count'> & {
  /** See {@link targetDigest}. */
  readonly target_digest: string;
};

/**
 * Locks a webhook until the transaction ends. Must come before locks on its deliveries. Transactions that insert
 * deliveries lock its key only (FOR KEY SHARE) and do not wait. @returns undefined if the webhook does not exist
 */
export async function lockWebhook(scope: WorkspaceScope, id: number): Promise<LockedWebhook | undefined> {
  const [webhook] = await scope.query<LockedWebhook & { is_active: boolean }>(
    sql`SELECT webhook.url, webhook.is_active, webhook.failure_count, ${targetDigest} AS target_digest
        FROM webhooks webhook WHERE webhook.workspace_id = ${scope} AND webhook.id = ${id} FOR NO KEY UPDATE`,
  );
  return webhook;
}

/** Makes the deliveries of a webhook due that wait for their next attempt. The webhook must be locked. */
export async function hastenDeliveries(scope: WorkspaceScope, webhookId: number): Promise<void> {
  await scope.execute(
    sql`UPDATE webhook_deliveries SET next_attempt_at = ${scope.now}
        WHERE workspace_id = ${scope} AND webhook_id = ${webhookId} AND next_attempt_at > ${scope.now}`,
  );
}

/** Returns the part `webhook` of a statement: its ID, locked against deletion; empty if it does not exist. */
export const webhookLockedForKeyShare = (scope: WorkspaceScope, id: number): StatementPart => ({
  name: 'webhook',
  statement: sql`SELECT id FROM webhooks WHERE workspace_id = ${scope} AND id = ${id} FOR KEY SHARE`,
  columns: sql`id bigint`,
});

/** Returns the URL and the encrypted secret of a webhook. @throws NotFound */
export async function findTarget(scope: WorkspaceScope, id: number): Promise<Pick<Webhook, 'url' | 'secret'>> {
  const [target] = await scope.query<{ url: string; secret: string }>(
    sql`SELECT url, secret FROM webhooks WHERE workspace_id = ${scope} AND id = ${id}`,
  );
  if (!target) throw new NotFound('Webhook');
  return target;
}
