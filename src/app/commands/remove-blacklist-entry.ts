import { BlacklistEntry } from '../../blacklist/index.js';
import { NotFound } from '../../platform/errors/index.js';
import { normalizeEmail } from '../../platform/http/fields/index.js';
import { Workspaces } from '../../workspaces/index.js';
import type { CommandReport } from './run.js';
import { withDatabase } from './with-database.js';

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
