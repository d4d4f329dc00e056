import { sql } from '../platform/database/index.js';
import { NotFound } from '../platform/errors/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import type { Webhook } from './webhook.entity.js';

/**
 * Locks a webhook until the transaction ends, before anything else that is its own. Those who raise events for it hold
 * its key only, and need not wait. @throws NotFound
 */
export async function lockWebhook(scope: WorkspaceScope, id: number): Promise<Pick<Webhook, 'url' | 'is_active'>> {
  const [webhook] = await scope.query<{ url: string; is_active: boolean }>(
    sql`SELECT url, is_active FROM webhooks WHERE workspace_id = ${scope} AND id = ${id} FOR NO KEY UPDATE`,
  );
  if (!webhook) throw new NotFound('Webhook');
  return webhook;
}

/** Where a webhook's deliveries go, and its sealed secret. @throws NotFound */
export async function findTarget(scope: WorkspaceScope, id: number): Promise<Pick<Webhook, 'url' | 'secret'>> {
  const [target] = await scope.query<{ url: string; secret: string }>(
    sql`SELECT url, secret FROM webhooks WHERE workspace_id = ${scope} AND id = ${id}`,
  );
  if (!target) throw new NotFound('Webhook');
  return target;
}
