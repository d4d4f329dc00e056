import { Workspaces } from '../../workspaces/index.js';
import type { CommandReport } from './run.js';
import { withDatabase } from './with-database.js';

/** `outreach workspace create` */
export async function createWorkspace(wanted: { name: string; sandbox?: true }): Promise<CommandReport> {
  const { id, name, is_sandbox } = await withDatabase((database) =>
    new Workspaces(database).create(wanted.name, wanted.sandbox),
  );
  const kind = is_sandbox ? 'sandbox workspace' : 'workspace';
  return { json: { id, name }, text: `Created ${kind} ${id}: ${name}` };
}
