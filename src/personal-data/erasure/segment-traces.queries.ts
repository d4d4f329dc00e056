import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { segmentDefinition } from '../../segments/index.js';
import { type DataSubject, emailsOf } from './data-subject.js';
import { ERASED } from './mentions.js';

/** A number of changes that no workspace has: the stored count is out of date. */
const NEVER = -1;

/** The fields of conditions that compare with what identifies a person. */
const FIELDS = ['email', 'phone', 'linkedin_url', 'external_id', 'full_name'];

/**
 * Replaces the values of conditions of segments that identify the person as a whole: an address, in any field; and in the
 * fields that have them the telephone number, the profile, the ID of another system, or first and last name together.
 * Stored counts get the digest of the new conditions, and are counted again when they are read.
 */
export async function eraseFromSegments(tx: WorkspaceScope, subject: DataSubject): Promise<void> {
  const emails = emailsOf(subject);
  const values = [...subject.texts, ...fullNames(subject.names)];
  const identifies = (condition: Sql): Sql => sql`(lower(btrim(${condition} ->> 'value')) = ANY(${emails}::text[])
    OR ${condition} ->> 'field' = ANY(${FIELDS}::text[]) AND lower(btrim(${condition} ->> 'value')) = ANY(${values}::text[]))`;
  await tx.execute(
    sql`WITH changed AS (
          UPDATE segments segment SET conditions = (
            SELECT jsonb_agg(CASE WHEN ${identifies(sql`each.condition`)}
                THEN jsonb_set(each.condition, '{value}', to_jsonb(${ERASED}::text)) ELSE each.condition END ORDER BY each.position)
            FROM jsonb_array_elements(segment.conditions) WITH ORDINALITY AS each (condition, position))
          WHERE workspace_id = ${tx} AND EXISTS (
            SELECT FROM jsonb_array_elements(segment.conditions) AS each (condition) WHERE ${identifies(sql`each.condition`)})
          RETURNING id, match_type, conditions
        )
        UPDATE segment_counts stored SET definition = ${segmentDefinition(sql`changed`)}, contact_changes = ${NEVER}
        FROM changed WHERE stored.workspace_id = ${tx} AND stored.segment_id = changed.id`,
  );
}

const fullNames = ([first, last]: readonly string[]): string[] =>
  first === undefined || last === undefined ? [] : [`${first} ${last}`, `${last} ${first}`];
