import { type Sql, sql } from '../platform/database/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import { contactFrom } from './contact-by-id.queries.js';
import { Contact } from './contact.entity.js';
import { type Grouping, LISTS, TAGS } from './grouping.js';

/**
 * Yields, for each thousand of the contacts, a statement that returns their IDs (`contact_id`) and what `contactView` shows
 * of them as JSON text (`data`), so that a large set is neither read nor encoded by the service.
 * @param contacts a sub-select of IDs
 */
export async function* encodedContacts(scope: WorkspaceScope, contacts: Sql): AsyncGenerator<Sql> {
  for await (const ids of scope.of(Contact).iterateIds(contacts)) {
    yield sql`SELECT record.id AS contact_id, (SELECT row_to_json(shown) FROM (SELECT ${columns(scope)}) shown)::text AS data
      FROM unnest(${[...ids]}::bigint[]) AS selected (id) CROSS JOIN LATERAL (${contactFrom(scope, sql`selected.id`)}) record
      WHERE record.id = selected.id`;
  }
}

/** The lists or tags of `record`. Like that of {@link contactFrom}, the order makes PostgreSQL use the primary key. */
const groupsOf = (scope: WorkspaceScope, { members, owner }: Grouping): Sql =>
  sql`SELECT member.${sql.ref(owner)} AS group_id FROM ${sql.ref(members)} member
      WHERE member.workspace_id = ${scope} AND member.contact_id BETWEEN record.id AND record.id
      ORDER BY member.workspace_id, member.contact_id`;

/** A time as the views show it. */
const instant = (column: string, name: string): Sql =>
  sql`to_char(${sql.ref(column)} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS ${sql.ref(name)}`;

/** The fields of `contactView`, in its order. */
const columns = (scope: WorkspaceScope): Sql =>
  sql`record.id, record.email, record.external_id, record.first_name, record.last_name,
      nullif(concat_ws(' ', nullif(record.first_name, ''), nullif(record.last_name, '')), '') AS full_name,
      record.company, record.company_id, record.phone, record.job_title, record.linkedin_url, record.timezone,
      record.lifecycle_stage, record.status, record.tracking_consent,
      ${instant('record.tracking_consent_at', 'tracking_consent_at')}, record.tracking_consent_source,
      record.custom_fields, ${instant('record.subscribed_at', 'subscribed_at')},
      ${instant('record.unsubscribed_at', 'unsubscribed_at')}, ${instant('record.created_at', 'created_at')},
      ${instant('record.updated_at', 'updated_at')},
      ARRAY(SELECT row_to_json(shown) FROM (
        SELECT tag.id, tag.name, tag.color, ${instant('tag.created_at', 'created_at')},
          ${instant('tag.updated_at', 'updated_at')}
        FROM (${groupsOf(scope, TAGS)}) member JOIN tags tag ON tag.workspace_id = ${scope} AND tag.id = member.group_id
        ORDER BY tag.id) shown) AS tags,
      ARRAY(SELECT row_to_json(shown) FROM (
        SELECT list.id, list.name, list.description, ${instant('list.created_at', 'created_at')},
          ${instant('list.updated_at', 'updated_at')}
        FROM (${groupsOf(scope, LISTS)}) member JOIN lists list ON list.workspace_id = ${scope} AND list.id = member.group_id
        ORDER BY list.id) shown) AS lists`;
