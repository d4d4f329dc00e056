import { timestamp } from '../../platform/http/responses/index.js';
import { ApiToken, Workspaces } from '../../workspaces/index.js';
import type { CommandReport } from './run.js';
import { table } from './table.js';
import { withDatabase } from './with-database.js';

const HEADS = ['ID', 'EXPIRES', 'LAST USED', 'NAME', 'PERMISSIONS'];

/** `outreach token list` */
export async function listTokens(workspace: number): Promise<CommandReport> {
  const tokens = await withDatabase(async (database) => {
    const scope = await new Workspaces(database).scope(workspace);
    return scope.of(ApiToken).find({});
  });
  const json = tokens.map(({ id, name, permissions, expires_at, last_used_at }) => ({
    id,
    name,
    permissions,
    expires_at: timestamp(expires_at),
    last_used_at: timestamp(last_used_at),
  }));
  const rows = json.map((each) => [
    String(each.id),
    each.expires_at ?? 'never',
    each.last_used_at ?? 'never',
    each.name,
    each.permissions.join(' '),
  ]);
  return { json, text: rows.length === 0 ? 'The workspace has no tokens.' : table(HEADS, rows) };
}
