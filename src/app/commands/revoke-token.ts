import { setTimeout as delay } from 'node:timers/promises';
import { NotFound } from '../../platform/errors/index.js';
import { TOKEN_CACHE_MS, TokenLookup } from '../../workspaces/index.js';
import type { CommandReport } from './run.js';
import { withDatabase } from './with-database.js';

/** `outreach token revoke`: when the command ends, no process accepts the token. @throws NotFound */
export async function revokeToken(id: number): Promise<CommandReport> {
  const revoked = await withDatabase((database) => new TokenLookup(database).revoke(id));
  if (!revoked) throw new NotFound(`Token ${id}`);
  // Running servers may still have the token in their caches.
  await delay(TOKEN_CACHE_MS);
  return { json: { id }, text: `Revoked token ${id}.` };
}
