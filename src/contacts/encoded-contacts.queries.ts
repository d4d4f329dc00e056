import { type Sql, sql } from '../platform/database/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import { TIMESTAMP_FIELDS } from './contact-fields.js';
import { Contact } from './contact.entity.js';
import { contactView } from './contact.view.js';
import { type Grouping, LISTS, TAGS } from './grouping.js';

/**
 * Yields, for each thousand of the contacts, a statement that returns their IDs (`contact_id`) and what `contactView` shows
 * of them as JSON text (`data`), so that a large set is neither read nor encoded by the service.
 * @param contacts a sub-select of IDs
 */
export async function* encodedContacts(scope: WorkspaceScope, contacts: Sql): AsyncGenerator<Sql> {
  for await (const found of scope.of(Contact).iterateIds(contacts)) {
    const isFound = (id: Sql): Sql => sql`${id} = ANY (${[...found]}::bigint[])
      AND ${id} BETWEEN ${found[0]}::bigint AND ${found.at(-1)}::bigint`;
    yield sql`WITH shown_tags AS MATERIALIZED (${groupsOf(scope, SHOWN_TAGS, isFound)}),
        shown_lists AS MATERIALIZED (${groupsOf(scope, SHOWN_LISTS, isFound)})
      SELECT record.id AS contact_id, (SELECT row_to_json(shown) FROM (SELECT ${columns}) shown)::text AS data
      FROM contacts record
      LEFT JOIN shown_tags ON shown_tags.contact_id = record.id
      LEFT JOIN shown_lists ON shown_lists.contact_id = record.id
      WHERE record.workspace_id = ${scope.unknownToPlanner} AND ${isFound(sql`record.id`)}`;
  }
}

/** Tags or lists, with the column that only these have. */
interface ShownGroups extends Grouping {
  readonly table: string;
  readonly column: string;
}

const SHOWN_TAGS: ShownGroups = { ...TAGS, table: 'tags', column: 'color' };
const SHOWN_LISTS: ShownGroups = { ...LISTS, table: 'lists', column: 'description' };

/**
 * The tags or lists of contacts, as arrays of JSON. They are read together: for each contact alone, a planner whose statistics do
 * not know the workspace would read the members of all.
 */
const groupsOf = (
  scope: WorkspaceScope,
  { members, owner, table, column }: ShownGroups,
  isFound: (id: Sql) => Sql,
): Sql =>
  sql`SELECT member.contact_id, array_agg((SELECT row_to_json(shown) FROM (
        SELECT owner.id, owner.name, owner.${sql.ref(column)}, ${instant('owner.created_at', 'created_at')},
          ${instant('owner.updated_at', 'updated_at')}) shown) ORDER BY owner.id) AS items
      FROM ${sql.ref(members)} member JOIN ${sql.ref(table)} owner ON owner.workspace_id = ${scope}
        AND owner.id = member.${sql.ref(owner)}
      WHERE member.workspace_id = ${scope.unknownToPlanner} AND ${isFound(sql`member.contact_id`)}
      GROUP BY member.contact_id`;

/** A time as the views show it. */
const instant = (column: string, name: string): Sql =>
  sql`to_char(${sql.ref(column)} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS ${sql.ref(name)}`;

/** The fields of `contactView` that are not columns. */
const DERIVED: Readonly<Record<string, Sql>> = {
  full_name: sql`nullif(concat_ws(' ', nullif(record.first_name, ''), nullif(record.last_name, '')), '')`,
  tags: sql`coalesce(shown_tags.items, '{}')`,
  lists: sql`coalesce(shown_lists.items, '{}')`,
};

function shownField(name: string): Sql {
  const derived = DERIVED[name];
  if (derived) return sql`${derived} AS ${sql.ref(name)}`;
  const isTime = TIMESTAMP_FIELDS.some((field) => field === name);
  return isTime ? instant(`record.${name}`, name) : sql`record.${sql.ref(name)}`;
}

/** The fields of `contactView` that all contacts have, in its order. */
const columns = sql.join(
  Object.keys(contactView.shape)
    .filter((name) => !contactView.optionalFields.includes(name))
    .map(shownField),
);
