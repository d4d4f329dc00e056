import { ERASED } from '@outreach/personal-mentions';
import { IDENTIFYING_FIELDS } from '../../contacts/index.js';
import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { segmentDefinition } from '../../segments/index.js';
import { type DataSubject, emailsOf } from './data-subject.js';

/** A number of changes that no workspace has: the stored count is out of date. */
const NEVER = -1;

/**
 * Replaces the values of conditions of segments that identify the person as a whole: an address, in any field; and in the
 * fields that have them the telephone number, the profile, the ID of another system, first and last name together, or an
 * identifier in a custom field that no other contact has. Stored counts get the digest of the new conditions, and are
 * counted again when they are read.
 */
export async function eraseFromSegments(tx: WorkspaceScope, subject: DataSubject): Promise<void> {
  const emails = emailsOf(subject);
  const values = [...subject.texts, ...fullNames(subject.names)];
  const identifiers = await findIdentifiers(tx, subject);
  const identifies = (condition: Sql): Sql => sql`(lower(btrim(${condition} ->> 'value')) = ANY(${emails}::text[])
    OR ${condition} ->> 'field' = ANY(${[...IDENTIFYING_FIELDS]}::text[])
      AND lower(btrim(${condition} ->> 'value')) = ANY(${values}::text[])
    OR ${asksFor(condition, identifiers)})`;
  await tx.execute(
    sql`WITH changed AS (
          UPDATE segments segment SET conditions = (
            SELECT jsonb_agg(CASE WHEN ${identifies(sql`each.condition`)}
                THEN jsonb_set(each.condition, '{value}', to_jsonb(${ERASED}::text)) ELSE each.condition END
                  ORDER BY each.position)
            FROM jsonb_array_elements(segment.conditions) WITH ORDINALITY AS each (condition, position))
          WHERE workspace_id = ${tx} AND EXISTS (
            SELECT 1 FROM jsonb_array_elements(segment.conditions) AS each (condition) WHERE ${identifies(sql`each.condition`)})
          RETURNING id, match_type, conditions
        )
        UPDATE segment_counts stored SET definition = ${segmentDefinition(sql`changed`)}, contact_changes = ${NEVER}
        FROM changed WHERE stored.workspace_id = ${tx} AND stored.segment_id = changed.id`,
  );
}

/** Whether a condition asks for one of the values of custom fields, in a JSON object by key. */
const asksFor = (condition: Sql, values: string): Sql =>
  sql`(${condition} ->> 'field', btrim(${condition} ->> 'value')) IN (
    SELECT 'custom_fields.' || key, value FROM jsonb_each_text(${values}::jsonb))`;

/**
 * Returns those of the person's identifiers in custom text fields that no other contact has, as a JSON object by key. A
 * value that several contacts have identifies none of them.
 */
async function findIdentifiers(tx: WorkspaceScope, subject: DataSubject): Promise<string> {
  const own = JSON.stringify(subject.custom_identifiers ?? {});
  const [found] = await tx.query<{ identifiers: string }>(
    sql`WITH asked AS MATERIALIZED (
          SELECT DISTINCT own.key, own.value
          FROM jsonb_each_text(${own}::jsonb) AS own
          JOIN custom_fields field ON field.workspace_id = ${tx} AND field.key = own.key AND field.type = 'text'
          JOIN segments segment ON segment.workspace_id = ${tx}
          CROSS JOIN jsonb_array_elements(segment.conditions) AS each (condition)
          WHERE ${asksFor(sql`each.condition`, own)} AND each.condition ->> 'field' = 'custom_fields.' || own.key
        )
        SELECT coalesce(jsonb_object_agg(key, value), '{}')::text AS identifiers FROM asked
        WHERE NOT EXISTS (
          SELECT 1 FROM contacts WHERE workspace_id = ${tx} AND id <> ${subject.contact_id}
            AND custom_fields @> jsonb_build_object(asked.key, asked.value))`,
  );
  return found?.identifiers ?? '{}';
}

const fullNames = ([first, last]: readonly string[]): string[] =>
  first === undefined || last === undefined ? [] : [`${first} ${last}`, `${last} ${first}`];
