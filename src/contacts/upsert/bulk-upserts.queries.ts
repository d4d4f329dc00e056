import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { contactField, type ContactField, IMPORT_FIELDS, type ImportField } from '../contact-fields.js';
import type { Grouping } from '../grouping.js';
import type { ChangedField } from '../history/contact-change.entity.js';
import { recordChanges } from '../history/contact-changes.queries.js';
import type { PlannedContact, PlannedChange, StoredContact } from './planned-contact.js';

/*
 * Each statement takes the rows of all contacts as one JSON document, so that its text does not depend on their number.
 */

/** Locks the contacts that have one of these emails or external IDs, by ID. */
export const lockMatching = (
  scope: WorkspaceScope,
  emails: readonly string[],
  externalIds: readonly string[],
): Promise<StoredContact[]> =>
  scope.query<StoredContact & { id: number }>(
    sql`SELECT contact.id, json_build_object(${COLUMN_PAIRS}) AS columns,
          (SELECT coalesce(json_object_agg(field.key, octet_length(field.value::text)), '{}')
           FROM jsonb_each(contact.custom_fields) AS field) AS custom_sizes
        FROM contacts contact
        WHERE contact.workspace_id = ${scope}
          AND (contact.email = ANY(${[...emails]}::text[]) OR contact.external_id = ANY(${[...externalIds]}::text[]))
        ORDER BY contact.id FOR UPDATE OF contact`,
  );

const COLUMN_PAIRS = sql.join(IMPORT_FIELDS.flatMap((name) => [sql`${name}::text`, sql`contact.${sql.ref(name)}`]));

/**
 * Inserts contacts, with ascending IDs, in the order of the unique index, so that two calls do not wait for each other.
 * @returns the ID of each email; an email or external ID that another transaction has taken meanwhile is missing
 */
export async function insertPlanned(
  scope: WorkspaceScope,
  contacts: readonly PlannedContact[],
): Promise<ReadonlyMap<string, number>> {
  const created = await scope.query<{ id: number; email: string }>(
    sql`WITH free AS MATERIALIZED (
          SELECT array_agg(id ORDER BY id) AS ids FROM (
            SELECT nextval('contacts_id_seq') AS id FROM generate_series(1, ${contacts.length}::int)) next)
        INSERT INTO contacts (workspace_id, id, ${COLUMN_NAMES}, custom_fields, tracking_consent_at, subscribed_at, created_at,
          updated_at)
        SELECT ${scope}, free.ids[input.position], ${inputColumns()}, input.added, ${consentTime(scope, sql`NULL`)},
          ${scope.now}, ${scope.now}, ${scope.now}
        FROM ${rowsOf(contacts)} CROSS JOIN free
        ORDER BY input.email
        ON CONFLICT DO NOTHING RETURNING id, email`,
  );
  return new Map(created.map(({ id, email }) => [email, id]));
}

/** Writes the columns and custom fields of stored contacts. @throws Conflict if an email or external ID is taken meanwhile */
export async function updatePlanned(scope: WorkspaceScope, contacts: readonly PlannedContact[]): Promise<void> {
  const sets = IMPORT_FIELDS.map(
    (name) => sql`${sql.ref(name)} = ${isOfStatus(name) ? unlessNamed(name) : sql`input.${sql.ref(name)}`}`,
  );
  await scope.execute(
    sql`UPDATE contacts contact SET ${sql.join(sets)}, updated_at = ${scope.now},
          tracking_consent_at = ${consentTime(scope, sql`contact.tracking_consent_at`)},
          custom_fields = (CASE WHEN input.is_reset THEN '{}' ELSE contact.custom_fields END
            - array(SELECT jsonb_array_elements_text(input.removed))) || input.added
        FROM ${rowsOf(contacts)} WHERE contact.workspace_id = ${scope} AND contact.id = input.id`,
  );
}

/** Records the changes of the consent and of the status, in their order. The contacts are inserted. */
export async function recordPlannedChanges(scope: WorkspaceScope, contacts: readonly PlannedContact[]): Promise<void> {
  await recordPlanned(scope, 'tracking_consent', contacts, ({ consents }) => consents);
  await recordPlanned(scope, 'status', contacts, ({ statuses }) => statuses);
}

async function recordPlanned(
  scope: WorkspaceScope,
  field: ChangedField,
  contacts: readonly PlannedContact[],
  changesOf: (contact: PlannedContact) => readonly PlannedChange[],
): Promise<void> {
  const changes = contacts.flatMap((each) => changesOf(each).map((change) => ({ contact_id: each.id, ...change })));
  if (changes.length === 0) return;
  const rows = sql`SELECT contact_id, old_value, new_value
    FROM jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) AS change (contact_id bigint, old_value text, new_value text)`;
  await scope.execute(recordChanges(scope, field, rows, 'api'));
}

/** Makes each contact a member of exactly the lists or tags of its entry. */
export async function replaceAllMemberships(
  scope: WorkspaceScope,
  { members, owner }: Grouping,
  groups: ReadonlyMap<number, readonly number[]>,
): Promise<void> {
  if (groups.size === 0) return;
  const wanted = [...groups].flatMap(([contactId, ids]) => [...new Set(ids)].map((id) => [contactId, id] as const));
  const pairs = sql`unnest(${wanted.map(([id]) => id)}::bigint[], ${wanted.map(([, id]) => id)}::bigint[])`;
  await scope.execute(
    sql`DELETE FROM ${sql.ref(members)} member
        WHERE member.workspace_id = ${scope} AND member.contact_id = ANY(${[...groups.keys()]}::bigint[])
          AND (member.contact_id, member.${sql.ref(owner)}) NOT IN (SELECT * FROM ${pairs} AS wanted (contact_id, id))`,
  );
  if (wanted.length === 0) return;
  await scope.execute(
    sql`INSERT INTO ${sql.ref(members)} (workspace_id, ${sql.ref(owner)}, contact_id, contact_created_at, created_at)
        SELECT ${scope}, wanted.id, contact.id, contact.created_at, ${scope.now}
        FROM ${pairs} AS wanted (contact_id, id)
        JOIN contacts contact ON contact.workspace_id = ${scope} AND contact.id = wanted.contact_id
        ORDER BY wanted.id, contact.id
        ON CONFLICT (workspace_id, contact_id, ${sql.ref(owner)}) DO NOTHING`,
  );
}

/** SQL for the time of a consent that changes. @param otherwise SQL for that of one that does not */
const consentTime = (scope: WorkspaceScope, otherwise: Sql): Sql =>
  sql`CASE WHEN input.has_new_consent THEN ${scope.now} ELSE ${otherwise} END`;

const isOfStatus = (name: ImportField): boolean => name === 'status' || name === 'unsubscribed_at';

/** A contact can have got its status in this transaction, by its address; that of a complaint stays. */
const unlessNamed = (name: ImportField): Sql =>
  sql`CASE WHEN input.has_status AND contact.status <> 'complained' THEN input.${sql.ref(name)}
    ELSE contact.${sql.ref(name)} END`;

const COLUMN_NAMES = sql.join(IMPORT_FIELDS.map((name) => sql.ref(name)));

const inputColumns = (): Sql => sql.join(IMPORT_FIELDS.map((name) => sql`input.${sql.ref(name)}`));

function rowsOf(contacts: readonly PlannedContact[]): Sql {
  const rows = contacts.map(({ id, columns, custom, consents, hasStatus }, index) => ({
    position: index + 1,
    id,
    ...columns,
    is_reset: custom.is_reset,
    removed: [...custom.removed],
    added: Object.fromEntries(custom.values),
    has_new_consent: consents.length > 0,
    has_status: hasStatus,
  }));
  return sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS input (position int, id bigint, ${COLUMN_TYPES},
    is_reset boolean, removed jsonb, added jsonb, has_new_consent boolean, has_status boolean)`;
}

const COLUMN_TYPES = sql.join(
  IMPORT_FIELDS.map((name) => {
    const types: Partial<Record<ContactField['type'], Sql>> = { reference: sql`bigint`, timestamp: sql`timestamptz` };
    return sql`${sql.ref(name)} ${types[contactField(name).type] ?? sql`text`}`;
  }),
);
