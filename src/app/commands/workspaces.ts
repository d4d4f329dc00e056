import { type CommandReport, table } from '@outreach/command-line';
import { timestamp } from '@outreach/http-api/responses';
import { Workspaces } from '../../workspaces/index.js';
import { withDatabase } from './with-database.js';

/** `outreach workspace create` */
export async function createWorkspace(wanted: { name: string; sandbox?: true }): Promise<CommandReport> {
  const { id, name, is_sandbox } = await withDatabase((database) =>
    new Workspaces(database).create(wanted.name, wanted.sandbox),
  );
  const kind = is_sandbox ? 'sandbox workspace' : 'workspace';
  return { json: { id, name }, text: `Created ${kind} ${id}: ${name}` };
}

/** `outreach workspace list` */
export async function listWorkspaces(): Promise<CommandReport> {
  const workspaces = await withDatabase((database) => new Workspaces(database).list());
  const json = workspaces.map(({ id, name, is_sandbox, created_at }) => ({
    id,
    name,
    is_sandbox,
    created_at: timestamp(created_at),
  }));
  const rows = json.map((each) => [String(each.id), each.created_at, each.is_sandbox ? 'sandbox' : '', each.name]);
  return {
    json,
    text: rows.length === 0 ? 'There are no workspaces yet.' : table(['ID', 'CREATED', 'KIND', 'NAME'], rows),
  };
}

/** `outreach workspace rename` @throws NotFound */
export async function renameWorkspace(workspace: number, wanted: string): Promise<CommandReport> {
  const { id, name } = await withDatabase((database) => new Workspaces(database).rename(workspace, wanted));
  return { json: { id, name }, text: `Renamed workspace ${id}: ${name}` };
}
