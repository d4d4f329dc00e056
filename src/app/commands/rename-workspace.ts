import { Workspaces } from '../../workspaces/index.js';
import type { CommandReport } from './run.js';
import { withDatabase } from './with-database.js';

/** `outreach workspace rename` @throws NotFound */
export async function renameWorkspace(workspace: number, wanted: string): Promise<CommandReport> {
  const { id, name } = await withDatabase((database) => new Workspaces(database).rename(workspace, wanted));
  return { json: { id, name }, text: `Renamed workspace ${id}: ${name}` };
}
