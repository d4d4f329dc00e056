import { sql } from '../platform/database/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import { type Brand, NO_BRAND } from './brand.js';

/** What the templates of a workspace say about it. */
export interface WorkspaceIdentity extends Brand {
  /** The value of the variable `sender_address`. */
  readonly postal_address: string | null;
}

/** Returns the postal address and the brand of the workspace. */
export async function workspaceIdentity(scope: WorkspaceScope): Promise<WorkspaceIdentity> {
  const [workspace] = await scope.query<WorkspaceIdentity>(
    sql`SELECT postal_address, brand_name, brand_color, logo_url FROM workspaces WHERE id = ${scope}`,
  );
  return workspace ?? { postal_address: null, ...NO_BRAND };
}
