import { cachedCount, type Sql, sql } from '../platform/database/index.js';
import type { WorkspaceScope } from '../platform/tenancy/index.js';
import type { Segment } from './segment.entity.js';

/** A segment with its stored count. */
export type CountedSegment = Segment & StoredCount;

export interface StoredCount {
  readonly contacts_count: number;
  readonly contacts_counted_at: Date;
  /** When this was read, by the clock of the workspace. */
  readonly read_at: Date;
  /** Whether nothing that the count depends on has changed since. */
  readonly is_current: boolean;
  readonly took_ms: number;
}

/** The count of a segment and the time that it took. */
export interface FoundCount {
  readonly segment: Segment;
  readonly contacts_count: number;
  readonly took_ms: number;
}

/** SQL expression: the number of changes to the contacts of the workspace, and to their tags and lists. */
export const contactChanges = (scope: WorkspaceScope): Sql => cachedCount(scope, 'contact_changes');

/** SQL expression: a digest of the match type and the conditions of the row `segment` of `segments`. */
export const segmentDefinition = (segment: Sql): Sql => sql`md5(${segment}.match_type || ${segment}.conditions::text)`;

const DEFINITION = segmentDefinition(sql`record`);

/**
 * SELECT expressions of the {@link StoredCount} of the row `record` of `segments`. They start with a comma. A segment from
 * whose conditions an earlier version has erased an address has no count until it is read.
 */
export const storedCountColumns = (scope: WorkspaceScope): Sql => {
  const stored = (column: Sql): Sql =>
    sql`(SELECT ${column} FROM segment_counts stored
         WHERE stored.workspace_id = ${scope} AND stored.segment_id = record.id AND stored.definition = ${DEFINITION})`;
  return sql`, coalesce(${stored(sql`stored.contacts_count`)}, 0) AS contacts_count,
    coalesce(${stored(sql`stored.counted_at`)}, record.updated_at) AS contacts_counted_at,
    coalesce(${stored(sql`stored.took_ms`)}, 0) AS took_ms,
    coalesce(${stored(sql`stored.contact_changes`)} = ${contactChanges(scope)}, FALSE) AS is_current,
    ${scope.now} AS read_at`;
};

/**
 * Stores counts, except of segments that were changed in the meantime or that another process has counted after later
 * changes. It skips segments that another transaction is changing, because their count is that of other conditions.
 * @param changes the number of {@link contactChanges} in the snapshot of the counting statement
 */
export async function storeCounts(scope: WorkspaceScope, found: readonly FoundCount[], changes: number): Promise<void> {
  await scope.execute(
    sql`INSERT INTO segment_counts AS stored
          (workspace_id, segment_id, contacts_count, definition, contact_changes, counted_at, took_ms)
        SELECT ${scope}, record.id, found.contacts_count, ${DEFINITION}, ${changes}, ${scope.now}, found.took_ms
        FROM unnest(${found.map(({ segment }) => segment.id)}::bigint[],
                    ${found.map((count) => count.contacts_count)}::bigint[],
                    ${found.map((count) => count.took_ms)}::int[],
                    ${found.map(({ segment }) => JSON.stringify(segment.conditions))}::jsonb[],
                    ${found.map(({ segment }) => segment.match_type)}::text[])
          AS found (id, contacts_count, took_ms, conditions, match_type)
        JOIN segments record ON record.workspace_id = ${scope} AND record.id = found.id
          AND record.conditions = found.conditions AND record.match_type = found.match_type
        ORDER BY record.id FOR SHARE OF record SKIP LOCKED
        ON CONFLICT (workspace_id, segment_id) DO UPDATE SET
          contacts_count = excluded.contacts_count, definition = excluded.definition,
          contact_changes = excluded.contact_changes, counted_at = excluded.counted_at, took_ms = excluded.took_ms
        WHERE stored.definition <> excluded.definition OR stored.contact_changes <= excluded.contact_changes`,
  );
}

/** Stores that the counts of these segments take at least `tookMs` each. */
export async function storeSlowCounts(
  scope: WorkspaceScope,
  segmentIds: readonly number[],
  tookMs: number,
): Promise<void> {
  await scope.execute(
    sql`UPDATE segment_counts SET took_ms = greatest(took_ms, ${tookMs}::int)
        WHERE workspace_id = ${scope} AND segment_id = ANY(${[...segmentIds]}::bigint[])`,
  );
}
