import { type CommandReport, table } from '@outreach/command-line';
import { NotFound } from '@outreach/http-errors';
import { normalizeEmail } from '@outreach/email-addresses';
import { timestamp } from '@outreach/http-api/responses';
import { BlacklistEntry } from '../../blacklist/index.js';
import { Workspaces } from '../../workspaces/index.js';
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

/** `outreach blacklist remove`: removes the workspace's own entry; that of another one stays in force. @throws NotFound */
export async function removeBlacklistEntry(workspace: number, address: string): Promise<CommandReport> {
  const email = normalizeEmail(address.trim());
  const id = await withDatabase(async (database) => {
    const entries = (await new Workspaces(database).scope(workspace)).of(BlacklistEntry);
    const [entry] = await entries.find({ email });
    if (!entry) throw new NotFound(`Blacklist entry ${email}`);
    await entries.delete(entry.id);
    return entry.id;
  });
  return { json: { id, email }, text: `Removed ${email} from the blacklist of workspace ${workspace}.` };
}
