import { sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';

/** An entry that the service has added after a bounce. */
export interface BounceEntry {
  readonly id: number;
  readonly email: string;
  readonly created_at: Date;
  /** What servers said when messages of the workspace to this address bounced, the latest first. */
  readonly reasons: readonly string[];
}

const CHUNK_SIZE = 500;

/** Returns the next entries for bounces of a workspace, by their IDs, with the stored words of its bounced messages. */
export function findBounceEntries(scope: WorkspaceScope, afterId: number): Promise<BounceEntry[]> {
  return scope.query<BounceEntry & Record<string, unknown>>(
    sql`SELECT entry.id, entry.email, entry.created_at, ARRAY(
          SELECT message.reason FROM contacts contact
          JOIN enrollments enrollment ON enrollment.workspace_id = ${scope} AND enrollment.contact_id = contact.id
          JOIN messages message ON message.workspace_id = ${scope} AND message.enrollment_id = enrollment.id
          WHERE contact.workspace_id = ${scope} AND contact.email = entry.email
            AND message.status = 'bounced' AND message.reason IS NOT NULL
          ORDER BY message.bounced_at DESC, message.id DESC) AS reasons
        FROM blacklist_entries entry
        WHERE entry.workspace_id = ${scope} AND entry.reason = 'bounce' AND entry.id > ${afterId}
        ORDER BY entry.id LIMIT ${CHUNK_SIZE}`,
  );
}

/** Makes the contacts with these addresses active that had bounced; their history shows it. */
export async function reactivateContacts(scope: WorkspaceScope, emails: readonly string[]): Promise<void> {
  await scope.execute(
    sql`WITH changed AS (
          UPDATE contacts SET status = 'active', updated_at = ${scope.now}
          WHERE workspace_id = ${scope} AND email = ANY(${[...emails]}::text[]) AND status = 'bounced' RETURNING id
        )
        INSERT INTO contact_changes (workspace_id, contact_id, field, old_value, new_value, source, created_at)
        SELECT ${scope}, id, 'status', 'bounced', 'active', 'service', ${scope.now} FROM changed ORDER BY id`,
  );
}
