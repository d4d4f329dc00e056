import { type Sql, sql } from '../platform/database/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import type { ContactStatus } from './contact.entity.js';

/** Where contacts move, and the states that they do not leave for it. */
export interface StatusTransition {
  readonly to: ContactStatus;
  readonly unless: readonly ContactStatus[];
}

/** @param contacts a sub-select of contact IDs @returns the IDs of those who moved */
export async function transitionContacts(
  scope: WorkspaceScope,
  contacts: Sql,
  transition: StatusTransition,
): Promise<number[]> {
  const dated = transition.to === 'unsubscribed' ? sql`, unsubscribed_at = now()` : sql.empty;
  const updated = await scope.query<{ id: number }>(
    sql`UPDATE contacts SET status = ${transition.to}, updated_at = now()${dated}
        WHERE workspace_id = ${scope} AND id IN (${contacts}) AND NOT (status = ANY(${[...transition.unless]}))
        RETURNING id`,
  );
  return updated.map((row) => row.id);
}
