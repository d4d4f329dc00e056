import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { CreationCursor } from '../enrollments/creation-cursor.js';
import type { EnrollmentSource } from '../enrollments/enrollment-source.js';

/** How many members of a list, or contacts, a pass reads at a time. */
const CHUNK_SIZE = 2_000;

/** Contacts in the order of their creation, and the cursor of the next ones; undefined after the last ones. */
export interface ContactChunk {
  readonly contactIds: readonly number[];
  readonly next: CreationCursor | undefined;
}

export async function readChunk(
  scope: WorkspaceScope,
  source: EnrollmentSource,
  cursor: CreationCursor,
): Promise<ContactChunk> {
  const rows = await scope.query<{ created_at: Date; id: number }>(source(cursor, CHUNK_SIZE));
  return { contactIds: rows.map(({ id }) => id), next: rows.length < CHUNK_SIZE ? undefined : rows.at(-1) };
}

/** SQL condition on `record`: it is a member of one of the lists. `OFFSET 0` makes it a lookup for each contact. */
export const isListed = (scope: WorkspaceScope, listIds: readonly number[]): Sql =>
  sql`EXISTS (SELECT 1 FROM list_members member WHERE member.workspace_id = ${scope}
        AND member.contact_id = record.id AND member.list_id = ANY(${[...listIds]}::bigint[]) OFFSET 0)`;

/**
 * SELECT of the IDs of those of the contacts that a campaign may enroll by itself: active ones that meet the condition, are not
 * enrolled, and were not removed. Each of them is found by its ID, so that the cost does not depend on how many others there
 * are.
 * @param condition on `record`
 */
export const candidatesAmong = (
  scope: WorkspaceScope,
  campaignId: number,
  contactIds: readonly number[],
  condition: Sql,
): Sql =>
  sql`SELECT found.id FROM unnest(${[...contactIds]}::bigint[]) AS chosen (id)
      CROSS JOIN LATERAL (
        SELECT record.id FROM contacts record
        WHERE record.workspace_id = ${scope} AND record.id = chosen.id AND record.status = 'active' AND (${condition})
          AND NOT EXISTS (SELECT 1 FROM enrollments enrollment
            WHERE enrollment.workspace_id = ${scope} AND enrollment.contact_id = record.id
              AND enrollment.campaign_id = ${campaignId} OFFSET 0)
          AND NOT EXISTS (SELECT 1 FROM removed_enrollments removed
            WHERE removed.workspace_id = ${scope} AND removed.contact_id = record.id
              AND removed.campaign_id = ${campaignId} OFFSET 0)
        LIMIT 1) found`;
