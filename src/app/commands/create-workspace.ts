import { Workspaces } from '../../workspaces/index.js';
import type { CommandReport } from './run.js';
import { withDatabase } from './with-database.js';

/** `outreach workspace create` */
export async function createWorkspace(wanted: string): Promise<CommandReport> {
  const { id, name } = await withDatabase((database) => new Workspaces(database).create(wanted));
  return { json: { id, name }, text: `Created workspace ${id}: ${name}` };
}
