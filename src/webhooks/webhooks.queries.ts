import { type Sql, sql } from '../platform/database/index.js';
import { NotFound } from '../platform/errors/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import type { Webhook } from './webhook.entity.js';

/** What decisions about a webhook rest on. */
export type LockedWebhook = Pick<Webhook, 'url' | 'is_active' | 'failure_count'>;

/**
 * Locks a webhook until the transaction ends, before anything else that is its own. Those who raise events for it hold
 * its key only, and need not wait. @returns undefined where it was deleted
 */
export async function lockWebhook(scope: WorkspaceScope, id: number): Promise<LockedWebhook | undefined> {
  const [webhook] = await scope.query<LockedWebhook & { is_active: boolean }>(
    sql`SELECT url, is_active, failure_count FROM webhooks
        WHERE workspace_id = ${scope} AND id = ${id} FOR NO KEY UPDATE`,
  );
  return webhook;
}

/** A common table expression `webhook` with its ID, which cannot be deleted until the transaction ends; empty where it was. */
export const webhookForKeyShare = (scope: WorkspaceScope, id: number): Sql => sql`
  webhook AS MATERIALIZED (
    SELECT id FROM webhooks WHERE workspace_id = ${scope} AND id = ${id} FOR KEY SHARE
  )`;

/** Where a webhook's deliveries go, and its sealed secret. @throws NotFound */
export async function findTarget(scope: WorkspaceScope, id: number): Promise<Pick<Webhook, 'url' | 'secret'>> {
  const [target] = await scope.query<{ url: string; secret: string }>(
    sql`SELECT url, secret FROM webhooks WHERE workspace_id = ${scope} AND id = ${id}`,
  );
  if (!target) throw new NotFound('Webhook');
  return target;
}
