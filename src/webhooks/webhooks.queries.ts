import { type Sql, sql } from '../platform/database/index.js';
import { NotFound } from '../platform/errors/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import type { Webhook } from './webhook.entity.js';

/** The columns of a webhook that {@link lockWebhook} returns. */
export type LockedWebhook = Pick<Webhook, 'url' | 'is_active' | 'failure_count'>;

/**
 * Locks a webhook until the transaction ends. Must come before locks on its deliveries. Transactions that insert
 * deliveries lock its key only (FOR KEY SHARE) and do not wait. @returns undefined if the webhook does not exist
 */
export async function lockWebhook(scope: WorkspaceScope, id: number): Promise<LockedWebhook | undefined> {
  const [webhook] = await scope.query<LockedWebhook & { is_active: boolean }>(
    sql`SELECT url, is_active, failure_count FROM webhooks
        WHERE workspace_id = ${scope} AND id = ${id} FOR NO KEY UPDATE`,
  );
  return webhook;
}

/** Returns the common table expression `webhook`: its ID, locked against deletion; empty if it does not exist. */
export const webhookLockedForKeyShare = (scope: WorkspaceScope, id: number): Sql => sql`
  webhook AS MATERIALIZED (
    SELECT id FROM webhooks WHERE workspace_id = ${scope} AND id = ${id} FOR KEY SHARE
  )`;

/** Returns the URL and the encrypted secret of a webhook. @throws NotFound */
export async function findTarget(scope: WorkspaceScope, id: number): Promise<Pick<Webhook, 'url' | 'secret'>> {
  const [target] = await scope.query<{ url: string; secret: string }>(
    sql`SELECT url, secret FROM webhooks WHERE workspace_id = ${scope} AND id = ${id}`,
  );
  if (!target) throw new NotFound('Webhook');
  return target;
}
