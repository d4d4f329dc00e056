import { cachedCount, type Sql, sql, type SqlValue } from '../platform/database/index.js';

/** What contacts can be members of: the table of memberships, and its column with the ID of the list or tag. */
export interface Grouping {
  readonly members: string;
  readonly owner: string;
}

export const LISTS: Grouping = { members: 'list_members', owner: 'list_id' };
export const TAGS: Grouping = { members: 'tag_members', owner: 'tag_id' };

/**
 * SQL on `record`, a contact: it is a member. The two `created_at` are always equal; comparing them lets PostgreSQL
 * read the contacts in the default order from the index of the memberships.
 */
export const isMember = ({ members, owner }: Grouping, id: number): Sql =>
  sql`EXISTS (SELECT 1 FROM ${sql.ref(members)} member
              WHERE member.workspace_id = record.workspace_id AND member.${sql.ref(owner)} = ${id}
                AND member.contact_id = record.id AND member.contact_created_at = record.created_at)`;

/** SQL for the number of members, from the counter cache. */
export const memberCount = (scope: SqlValue, { members }: Grouping, id: Sql): Sql => cachedCount(scope, members, id);
