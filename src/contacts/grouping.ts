import { cachedCount, type Sql, sql, type SqlValue } from '../platform/database/index.js';

/** What contacts can be members of, as tables: the members, and their column that names the list or tag. */
export interface Grouping {
  readonly members: string;
  readonly owner: string;
}

export const LISTS: Grouping = { members: 'list_members', owner: 'list_id' };
export const TAGS: Grouping = { members: 'tag_members', owner: 'tag_id' };

/**
 * The condition on `record`, a contact, that it is a member. That both dates of creation are equal goes without saying,
 * but tells PostgreSQL that the members' index is in the order of the default sort.
 */
export const isMember = ({ members, owner }: Grouping, id: number): Sql =>
  sql`EXISTS (SELECT 1 FROM ${sql.ref(members)} member
              WHERE member.workspace_id = record.workspace_id AND member.${sql.ref(owner)} = ${id}
                AND member.contact_id = record.id AND member.contact_created_at = record.created_at)`;

/** How many members there are, without counting them. */
export const memberCount = (scope: SqlValue, { members }: Grouping, id: Sql): Sql => cachedCount(scope, members, id);
