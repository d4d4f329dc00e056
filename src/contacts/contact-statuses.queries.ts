import { type Sql, sql } from '../platform/database/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import type { ContactStatus } from './contact.entity.js';

/** Where contacts move, and the states that they do not leave for it. */
export interface StatusMove {
  readonly to: ContactStatus;
  readonly unless: readonly ContactStatus[];
}

/** @param contacts a sub-select of contact IDs @returns the IDs of those who moved */
export async function moveContacts(scope: WorkspaceScope, contacts: Sql, move: StatusMove): Promise<number[]> {
  const dated = move.to === 'unsubscribed' ? sql`, unsubscribed_at = now()` : sql.empty;
  const moved = await scope.query<{ id: number }>(
    sql`UPDATE contacts SET status = ${move.to}, updated_at = now()${dated}
        WHERE workspace_id = ${scope} AND id IN (${contacts}) AND NOT (status = ANY(${[...move.unless]}))
        RETURNING id`,
  );
  return moved.map((row) => row.id);
}
