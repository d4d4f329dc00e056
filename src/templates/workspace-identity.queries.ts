import { sql } from '../platform/database/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import { type Brand, NO_BRAND } from './brand.js';

/** What the messages of a workspace depend on. */
export interface WorkspaceIdentity extends Brand {
  /** The value of the variable `sender_address`. */
  readonly postal_address: string | null;
  /** The host name with which links begin; null for that of the service. */
  readonly link_domain: string | null;
}

/** Returns the postal address, the brand and the verified tracking domain of the workspace. */
export async function workspaceIdentity(scope: WorkspaceScope): Promise<WorkspaceIdentity> {
  const [workspace] = await scope.query<WorkspaceIdentity>(
    sql`SELECT postal_address, brand_name, brand_color, logo_url,
          CASE WHEN tracking_domain_verified_at IS NOT NULL THEN tracking_domain END AS link_domain
        FROM workspaces WHERE id = ${scope}`,
  );
  return workspace ?? { postal_address: null, link_domain: null, ...NO_BRAND };
}
