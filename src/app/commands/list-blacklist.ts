import { BlacklistEntry } from '../../blacklist/index.js';
import { timestamp } from '../../platform/http/responses/index.js';
import { Workspaces } from '../../workspaces/index.js';
import type { CommandReport } from './run.js';
import { table } from './table.js';
import { withDatabase } from './with-database.js';

/** `outreach blacklist list`: the entries that the workspace itself added. @throws NotFound */
export async function listBlacklist(workspace: number): Promise<CommandReport> {
  const entries = await withDatabase(async (database) => {
    const scope = await new Workspaces(database).scope(workspace);
    return scope.of(BlacklistEntry).find({});
  });
  const json = entries.map(({ id, email, reason, created_at }) => ({
    id,
    email,
    reason,
    created_at: timestamp(created_at),
  }));
  const rows = json.map((each) => [String(each.id), each.created_at, each.reason, each.email]);
  const heads = ['ID', 'CREATED', 'REASON', 'EMAIL'];
  return { json, text: rows.length === 0 ? 'The workspace has no blacklist entries.' : table(heads, rows) };
}
