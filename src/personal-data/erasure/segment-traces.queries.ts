import { sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { DataSubject } from './data-subject.js';

/**
 * Replaces the address in conditions of segments that compare with it as a whole. They match the same contacts as before,
 * because none has it any more.
 */
export async function eraseFromSegments(tx: WorkspaceScope, { email }: DataSubject): Promise<void> {
  const value = JSON.stringify(email);
  await tx.execute(
    sql`UPDATE segments SET conditions = replace(conditions::text, ${value}, '"erased"')::jsonb
        WHERE workspace_id = ${tx} AND position(${value} IN conditions::text) > 0`,
  );
}
