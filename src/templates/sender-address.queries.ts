import { sql } from '../platform/database/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';

/** Returns the value of the variable `sender_address`: the postal address of the workspace, or null if it has none. */
export async function senderAddress(scope: WorkspaceScope): Promise<string | null> {
  const [workspace] = await scope.query<{ postal_address: string | null }>(
    sql`SELECT postal_address FROM workspaces WHERE id = ${scope}`,
  );
  return workspace?.postal_address ?? null;
}
