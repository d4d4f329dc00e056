import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { contactField } from '../contact-fields.js';
import { MAX_CONTACT_BYTES } from '../contact-size.js';
import { MAX_KEYS } from '../custom-fields/custom-field-values.js';
import type { Grouping } from '../grouping.js';
import { insertMembers } from '../memberships.queries.js';
import type { ChangedField } from '../history/contact-change.entity.js';
import { recordChanges } from '../history/contact-changes.queries.js';
import {
  addResults,
  findByAddress,
  findCustomFields,
  type ImportColumn,
  isOfStatus,
  lockChanged,
  names,
  NOT_CREATED,
} from './import-tables.queries.js';
import { NONE_REFUSED, refuseAddresses, refuseRows, type RefusedSet, type RowRefusal } from './refusals.queries.js';
import { newUnsubscriptionTime, statusAssignments } from './statuses.queries.js';

/** Deletes the rows with a company ID that belongs to another workspace or does not exist. @returns those rows */
export async function refuseUnknownCompanies(scope: WorkspaceScope, refusal: RowRefusal): Promise<RefusedSet> {
  const ids = await scope.queryIds(
    sql`SELECT DISTINCT input.company_id AS id FROM import_rows input
        LEFT JOIN companies company ON company.workspace_id = ${scope} AND company.id = input.company_id
        WHERE input.company_id IS NOT NULL AND company.id IS NULL`,
  );
  if (ids.length === 0) return NONE_REFUSED;
  return refuseRows(
    scope,
    sql`refused AS (
          DELETE FROM import_rows input WHERE input.company_id = ANY(${ids}::bigint[])
          RETURNING input.row_number, input.company_id::text AS value)`,
    refusal,
  );
}

/** Deletes the addresses whose contact would get too many custom fields. @returns all their rows */
export const refuseOverfull = (scope: WorkspaceScope, refusal: RowRefusal): Promise<RefusedSet> =>
  refuseMerged(scope, refusal, (fields) => sql`(SELECT count(*) FROM jsonb_object_keys(${fields})) > ${MAX_KEYS}`);

/** Deletes the addresses whose contact would get custom fields that are too large. @returns all their rows */
export const refuseTooLarge = (scope: WorkspaceScope, refusal: RowRefusal): Promise<RefusedSet> =>
  refuseMerged(scope, refusal, (fields) => sql`octet_length((${fields})::text) > ${MAX_CONTACT_BYTES}`);

/**
 * Deletes the addresses that the file would give an external ID which another contact has, or an earlier address of the
 * file. Call it before {@link updateExisting}. The order makes PostgreSQL use the index of external IDs.
 * @returns all their rows
 */
export const refuseTakenIds = (scope: WorkspaceScope, refusal: RowRefusal): Promise<RefusedSet> =>
  refuseAddresses(
    scope,
    refusal,
    sql`SELECT input.email FROM import_contacts input
        CROSS JOIN LATERAL (
          SELECT contact.external_id, contact.email FROM contacts contact
          WHERE contact.workspace_id = ${scope} AND contact.external_id >= input.external_id
          ORDER BY contact.workspace_id, contact.external_id LIMIT 1) stored
        WHERE stored.external_id = input.external_id AND stored.email <> input.email
        UNION ALL
        SELECT numbered.email FROM (
          SELECT email, row_number() OVER (PARTITION BY external_id ORDER BY email) AS number
          FROM import_contacts WHERE external_id IS NOT NULL) numbered
        WHERE numbered.number > 1`,
    sql`import_rows.external_id`,
  );

/** Deletes the addresses that {@link insertNew} has not created because their external ID is taken. @returns all their rows */
export const refuseNotCreated = (scope: WorkspaceScope, refusal: RowRefusal): Promise<RefusedSet> =>
  refuseAddresses(
    scope,
    refusal,
    sql`SELECT input.email FROM import_contacts input
        LEFT JOIN contacts stored ON stored.workspace_id = ${scope} AND stored.email = input.email
        WHERE stored.email IS NULL`,
    sql`import_rows.external_id`,
  );

/** Deletes the addresses whose custom fields, together with those of their contact, meet a condition. */
async function refuseMerged(
  scope: WorkspaceScope,
  refusal: RowRefusal,
  isRefused: (fields: Sql) => Sql,
): Promise<RefusedSet> {
  await findCustomFields(scope);
  const merged = sql`input.custom_fields || coalesce(stored.custom_fields, '{}')`;
  return refuseAddresses(
    scope,
    refusal,
    sql`SELECT input.email, ${scope}::bigint AS workspace_id
        FROM import_contacts input LEFT JOIN import_stored stored ON stored.email = input.email
        WHERE ${isRefused(merged)}`,
  );
}

/**
 * Records the consent or the status of the contacts that the import has created.
 * @param initial the value of a new contact, which is no change
 */
export async function recordCreated(scope: WorkspaceScope, field: ChangedField, initial: string): Promise<void> {
  const value = sql`contact.${sql.ref(field)}`;
  const created = sql`SELECT contact.id AS contact_id, ${initial}::text AS old_value, ${value} AS new_value
    FROM import_results result JOIN contacts contact ON contact.workspace_id = ${scope} AND contact.id = result.contact_id
    WHERE result.kind = 'created' AND ${value} <> ${initial}::text`;
  await scope.execute(recordChanges(scope, field, created, 'import'));
}

/** Records the consents that {@link updateExisting} is about to change. Locks these contacts. */
export async function recordChangedConsents(scope: WorkspaceScope): Promise<void> {
  const changed = await lockChanged(scope, 'tracking_consent', sql`TRUE`);
  await scope.execute(recordChanges(scope, 'tracking_consent', changed, 'import'));
}

/**
 * Creates the contacts whose address is new in the workspace, except those whose external ID is taken.
 * @returns the number of created contacts
 */
export function insertNew(scope: WorkspaceScope, columns: readonly ImportColumn[]): Promise<number> {
  const hasConsent = columns.includes('tracking_consent');
  const consentAt = sql`CASE WHEN coalesce(tracking_consent, 'unknown') <> 'unknown' THEN ${scope.now} END`;
  const target = columns.includes('external_id') ? sql.empty : sql`(workspace_id, email)`;
  const added = ['subscribed_at', 'created_at', 'updated_at', 'created_source'];
  return addResults(
    scope,
    sql`WITH created AS (
          INSERT INTO contacts (workspace_id,
            ${names(['email', ...columns, ...added, ...(hasConsent ? ['tracking_consent_at'] : [])])})
          SELECT workspace_id, ${sql.join([sql.ref('email'), ...columns.map((column) => orDefault(scope, column))])},
            ${scope.now}, ${scope.now}, ${scope.now}, 'import'${hasConsent ? sql`, ${consentAt}` : sql.empty}
          FROM import_contacts WHERE workspace_id = ${scope} ORDER BY email
          ON CONFLICT ${target} DO NOTHING RETURNING id, email
        )
        INSERT INTO import_results (contact_id, email, kind) SELECT id, email, 'created' FROM created`,
  );
}

/** Writes the filled cells to the contacts that existed before the import. @returns the number of these contacts */
export function updateExisting(scope: WorkspaceScope, columns: readonly ImportColumn[]): Promise<number> {
  const consent = columns.includes('tracking_consent') ? consentAssignments(scope, columns) : [];
  const sets = [
    ...columns.filter((name) => !isConsentSource(name, columns) && !isOfStatus(name)).map(assignment),
    ...consent,
    ...(columns.includes('status') ? statusAssignments(scope) : []),
    sql`updated_at = ${scope.now}`,
  ];
  return addResults(
    scope,
    sql`WITH updated AS (
          UPDATE contacts contact SET ${sql.join(sets)} FROM (${NOT_CREATED}) input
          WHERE contact.workspace_id = ${scope} AND contact.email = input.email
          RETURNING contact.id, contact.email
        )
        INSERT INTO import_results (contact_id, email, kind) SELECT id, email, 'updated' FROM updated`,
  );
}

/**
 * Adds the contacts of all valid rows to lists or tags.
 * @returns the number of contacts for which the import changed only memberships
 */
export async function joinGroups(scope: WorkspaceScope, grouping: Grouping, ids: readonly number[]): Promise<number> {
  if (ids.length === 0) return 0;
  await findByAddress(scope);
  return addResults(
    scope,
    sql`WITH joined AS (${insertMembers(scope, grouping, ids, sql`SELECT contact_id FROM import_found`)})
        INSERT INTO import_results (contact_id, kind)
        SELECT DISTINCT joined.contact_id, 'joined' FROM joined
        WHERE NOT EXISTS (SELECT 1 FROM import_results result WHERE result.contact_id = joined.contact_id)`,
  );
}

/** Sets `updated_at` of the contacts that only joined a list or tag. */
export async function touchJoined(scope: WorkspaceScope): Promise<void> {
  await scope.execute(
    sql`UPDATE contacts contact SET updated_at = ${scope.now} FROM import_results result
        WHERE contact.workspace_id = ${scope} AND contact.id = result.contact_id AND result.kind = 'joined'`,
  );
}

/** Deletes those of the custom fields for which no contact got a value. */
export async function removeUnused(scope: WorkspaceScope, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  await scope.execute(
    sql`DELETE FROM custom_fields field WHERE field.workspace_id = ${scope} AND field.key = ANY(${[...keys]}::text[])
          AND field.key <> ALL (ARRAY(SELECT DISTINCT jsonb_object_keys(input.custom_fields)
            FROM import_contacts input JOIN import_results USING (email)))`,
  );
}

/** A sub-select of the IDs of the contacts that the import created. Valid until its transaction ends. */
export const CREATED = sql`SELECT contact_id FROM import_results WHERE kind = 'created'`;

/** A sub-select of the IDs of the contacts that the import changed. */
export const CHANGED = sql`SELECT contact_id FROM import_results WHERE kind <> 'created'`;

/** The source of a consent follows the consent, if the file has both. */
const isConsentSource = (column: ImportColumn, columns: readonly ImportColumn[]): boolean =>
  column === 'tracking_consent_source' && columns.includes('tracking_consent');

/** The date and the source of a consent that differs from the stored one are those of the file. */
function consentAssignments(scope: WorkspaceScope, columns: readonly ImportColumn[]): Sql[] {
  const changes = sql`input.tracking_consent <> contact.tracking_consent`;
  const source = columns.includes('tracking_consent_source') ? sql`input.tracking_consent_source` : sql`NULL`;
  return [
    sql`tracking_consent_at = CASE WHEN ${changes} THEN ${scope.now} ELSE contact.tracking_consent_at END`,
    sql`tracking_consent_source = CASE WHEN ${changes} THEN ${source}
          ELSE coalesce(${source}, contact.tracking_consent_source) END`,
  ];
}

function orDefault(scope: WorkspaceScope, column: ImportColumn): Sql {
  if (column === 'custom_fields') return sql`coalesce(custom_fields, '{}')`;
  if (column === 'unsubscribed_at') return newUnsubscriptionTime(scope);
  const { default: initial } = contactField(column);
  return initial === undefined ? sql.ref(column) : sql`coalesce(${sql.ref(column)}, ${initial})`;
}

function assignment(column: ImportColumn): Sql {
  const name = sql.ref(column);
  return column === 'custom_fields'
    ? sql`custom_fields = contact.custom_fields || coalesce(input.custom_fields, '{}')`
    : sql`${name} = coalesce(input.${name}, contact.${name})`;
}
