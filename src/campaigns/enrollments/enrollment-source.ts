import { type Sql, sql } from '../../platform/database/index.js';
import { type WorkspaceScope } from '../../platform/tenancy/index.js';

/**
 * Where contacts to enroll come from: a sub-select of one column `id`, the first `limit` contact IDs after `after`, in
 * order. It reads no more than that, so that a source of a million contacts is read once, a chunk at a time.
 */
export type EnrollmentSource = (after: number, limit: number) => Sql;

/** IDs that a client named; those of elsewhere are still among them. */
export const namedContacts =
  (ids: readonly number[]): EnrollmentSource =>
  (after, limit) =>
    sql`SELECT id FROM unnest(${[...ids]}::bigint[]) AS named (id) WHERE id > ${after} ORDER BY id LIMIT ${limit}`;

/** Members of lists. Each list is read along its index; members of several come once for each. */
export const listMembers =
  (scope: WorkspaceScope, listIds: readonly number[]): EnrollmentSource =>
  (after, limit) =>
    sql`SELECT member.contact_id AS id FROM unnest(${[...new Set(listIds)]}::bigint[]) AS list (id)
        CROSS JOIN LATERAL (
          SELECT contact_id FROM list_members
          WHERE workspace_id = ${scope} AND list_id = list.id AND contact_id > ${after}
          ORDER BY contact_id LIMIT ${limit}) member
        ORDER BY id LIMIT ${limit}`;
