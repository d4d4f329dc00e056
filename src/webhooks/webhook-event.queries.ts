import { type Sql, sql } from '../platform/database/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';

/** What the body of an event keeps of its `data` when the contact is erased: IDs. */
export const RETAINED_KEYS = [
  'id',
  'contact_id',
  'campaign_id',
  'step_id',
  'variant_id',
  'enrollment_id',
  'email_account_id',
];

/**
 * SQL of the body of an event without what it tells of a person. Not in the `SET` of an `UPDATE`, where several nodes refuse it.
 * @param stored a row of `webhook_events`
 */
export const redactedBody = (scope: WorkspaceScope, stored: Sql): Sql => sql`json_build_object(
  'event', ${stored}.event, 'workspace_id', ${scope}::bigint, 'data', (
    SELECT coalesce(json_object_agg(field.key, field.value), '{}'::json) FROM json_each(${stored}.payload -> 'data') field
    WHERE field.key = ANY(${RETAINED_KEYS}::text[])))`;

let erasedContacts = (_scope: WorkspaceScope): Sql => {
  throw new Error('No module has declared which contacts are being erased.');
};

/**
 * Declares which contacts are being erased: what is found of them later is redacted when it is read.
 * @param contacts returns a sub-select of `contact_id`
 */
export function declareErasedContacts(contacts: (scope: WorkspaceScope) => Sql): void {
  erasedContacts = contacts;
}

const isBeingErased = (scope: WorkspaceScope, stored: Sql): Sql => sql`(${stored}.contact_id IS NOT NULL AND EXISTS (
  SELECT 1 FROM (${erasedContacts(scope)}) erased WHERE erased.contact_id = ${stored}.contact_id))`;

/** SQL of the contacts of the workspace that are being erased, as an array; null if there are none. */
export const contactsBeingErased = (scope: WorkspaceScope): Sql => sql`(
  SELECT array_agg(erased.contact_id) FROM (${erasedContacts(scope)}) erased)`;

/**
 * Returns a lateral join of the event of a delivery or a log: its name, its contact, its body, and whether that must not
 * be shown any more. With LIMIT, PostgreSQL looks up each event in the index of one partition; without it, the planner may
 * read all partitions. Not in the `SELECT` of an `INSERT`, where several nodes refuse it: in a part of the statement before.
 * @param referring the row that has `event_id` and `event_created_at`
 */
export const eventOf = (scope: WorkspaceScope, referring: Sql): Sql => sql`LATERAL (
  SELECT stored.event, stored.contact_id, ${isBeingErased(scope, sql`stored`)} AS is_erased,
    CASE WHEN ${isBeingErased(scope, sql`stored`)} THEN ${redactedBody(scope, sql`stored`)} ELSE stored.payload END AS payload
  FROM webhook_events stored
  WHERE stored.workspace_id = ${scope} AND stored.id = ${referring}.event_id
    AND stored.created_at = ${referring}.event_created_at
  LIMIT 1)`;

/** Returns the ID of the contact that an event tells of, null if there is none. @param data the `data` of its body */
export function contactIn(event: string, data: object): number | null {
  const { id, contact_id: contactId }: { readonly id?: unknown; readonly contact_id?: unknown } = data;
  const found = event.startsWith('contact.') ? id : contactId;
  return typeof found === 'number' ? found : null;
}
