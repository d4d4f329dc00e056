import { sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { type DataSubject, emailsOf } from './data-subject.js';
import { ERASED } from './mentions.js';

/**
 * Replaces the addresses in conditions of segments that compare with them as a whole. They match the same contacts as before,
 * because none has them any more. Stored counts have a digest of the conditions.
 */
export async function eraseFromSegments(tx: WorkspaceScope, subject: DataSubject): Promise<void> {
  for (const email of emailsOf(subject)) {
    const value = JSON.stringify(email);
    await tx.execute(
      sql`WITH changed AS (
            UPDATE segments SET conditions = replace(conditions::text, ${value}, ${JSON.stringify(ERASED)})::jsonb
            WHERE workspace_id = ${tx} AND position(${value} IN conditions::text) > 0 RETURNING id
          )
          DELETE FROM segment_counts stored USING changed
          WHERE stored.workspace_id = ${tx} AND stored.segment_id = changed.id`,
    );
  }
}
