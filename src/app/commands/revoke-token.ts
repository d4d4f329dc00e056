import { NotFound } from '../../platform/errors/index.js';
import { TokenLookup } from '../../workspaces/index.js';
import type { CommandReport } from './run.js';
import { withDatabase } from './with-database.js';

/** `outreach token revoke`: the token stops working within a second. @throws NotFound */
export async function revokeToken(id: number): Promise<CommandReport> {
  const revoked = await withDatabase((database) => new TokenLookup(database).revoke(id));
  if (!revoked) throw new NotFound(`Token ${id}`);
  return { json: { id }, text: `Revoked token ${id}.` };
}
