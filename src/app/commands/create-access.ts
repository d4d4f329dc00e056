import type { Database } from '../../platform/database/index.js';
import { type ApiToken, issueToken, PERMISSIONS, type Workspace, Workspaces } from '../../workspaces/index.js';

/** A workspace, and a token with all permissions in it. */
export interface WorkspaceAccess {
  readonly workspace: Workspace;
  readonly record: ApiToken;
  readonly token: string;
}

/** Creates a workspace with a token, like `outreach workspace create` and `outreach token create`. */
export async function createAccess(
  database: Database,
  { name, sandbox, token_name }: { readonly name: string; readonly sandbox?: boolean; readonly token_name: string },
): Promise<WorkspaceAccess> {
  const workspace = await new Workspaces(database).create(name, sandbox);
  return { workspace, ...(await allowAll(database, workspace.id, token_name)) };
}

/** Creates a token with all permissions in a workspace. @throws NotFound */
export async function allowAll(
  database: Database,
  workspaceId: number,
  name: string,
): Promise<Omit<WorkspaceAccess, 'workspace'>> {
  const scope = await new Workspaces(database).scope(workspaceId);
  return issueToken(scope, { name, permissions: PERMISSIONS });
}
