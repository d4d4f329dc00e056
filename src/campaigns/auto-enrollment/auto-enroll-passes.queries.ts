import { currentTransaction, isHorizonReached } from '@outreach/database';
import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { type CreationCursor, FIRST_CURSOR } from '../enrollments/creation-cursor.js';
import { type AutoEnroll, autoEnrollOf, type AutoEnrollingCampaign } from './auto-enroll-sources.queries.js';

export interface Pass {
  readonly campaign: AutoEnrollingCampaign;
  readonly request: string;
  readonly listIndex: number;
  readonly cursor: CreationCursor;
  readonly isLast: boolean;
}

const isPassHorizonReached = isHorizonReached(sql`pass.horizon`);

/**
 * SQL condition: the row `pass` can be read on. A contact may be changed by a transaction that did not see yet that the
 * campaign enrolls by itself, and so did not note the change. So the last pass waits for the end of all transactions that
 * had begun before the first chunk was read.
 */
export const isPassReady: Sql = sql`(NOT pass.is_last OR ${isPassHorizonReached})`;

/** Makes those of the campaigns that enroll by themselves begin a new pass. @param campaigns a sub-select of their IDs */
export async function requestPasses(scope: WorkspaceScope, campaigns: Sql): Promise<void> {
  await scope.execute(
    sql`INSERT INTO auto_enroll_passes (workspace_id, campaign_id, request, after_created_at)
        SELECT ${scope}, campaign.id, gen_random_uuid(), ${FIRST_CURSOR.created_at}::timestamptz FROM campaigns campaign
        WHERE campaign.workspace_id = ${scope} AND campaign.status = 'active' AND campaign.auto_enrolls
          AND ${sql.among(sql`campaign.id`, campaigns)}
        ORDER BY campaign.id
        ON CONFLICT (workspace_id, campaign_id) DO UPDATE SET request = excluded.request, list_index = 0,
          after_created_at = excluded.after_created_at, after_id = 0, horizon = NULL, is_last = FALSE`,
  );
}

/**
 * Sets the horizons of new passes: the ID of this transaction. A transaction with a later one sees that the campaign
 * enrolls by itself.
 */
async function beginPasses(scope: WorkspaceScope): Promise<void> {
  await scope.execute(
    sql`UPDATE auto_enroll_passes pass SET horizon = ${currentTransaction}
        FROM campaigns campaign
        WHERE pass.workspace_id = ${scope} AND pass.horizon IS NULL
          AND campaign.workspace_id = ${scope} AND campaign.id = pass.campaign_id
          AND campaign.status = 'active' AND campaign.auto_enrolls`,
  );
}

/**
 * @returns a pass of an active campaign that can be read on; the campaigns take turns at random. A pass whose horizon is
 *   reached before its first chunk is the last one
 */
export async function nextPass(scope: WorkspaceScope): Promise<Pass | undefined> {
  await beginPasses(scope);
  const [row] = await scope.query<PassRow>(
    sql`SELECT pass.campaign_id AS id, pass.request, pass.list_index, pass.after_created_at, pass.after_id, pass.horizon,
          pass.is_last OR pass.list_index = 0 AND pass.after_id = 0 AND ${isPassHorizonReached} AS is_last,
          ${autoEnrollOf(scope, sql`campaign.id`)} AS auto_enroll
        FROM auto_enroll_passes pass
        JOIN campaigns campaign ON campaign.workspace_id = ${scope} AND campaign.id = pass.campaign_id
        WHERE pass.workspace_id = ${scope} AND campaign.status = 'active' AND campaign.auto_enrolls
          AND pass.horizon IS NOT NULL AND ${isPassReady}
        ORDER BY random() LIMIT 1`,
  );
  if (!row) return undefined;
  const { id, auto_enroll: autoEnroll, request } = row;
  return {
    campaign: { id, ...(autoEnroll ?? { list_ids: [], segment_ids: [] }) },
    request,
    listIndex: row.list_index,
    cursor: { created_at: row.after_created_at, id: row.after_id },
    isLast: row.is_last,
  };
}

interface PassRow {
  readonly [column: string]: unknown;
  readonly id: number;
  readonly request: string;
  readonly list_index: number;
  readonly after_created_at: Date;
  readonly after_id: number;
  readonly is_last: boolean;
  readonly auto_enroll: AutoEnroll | null;
}

/** Stores where a pass goes on, unless a new one was requested. @param cursor undefined at the end of the list */
export async function advancePass(
  scope: WorkspaceScope,
  { campaign, request, listIndex, isLast }: Pass,
  cursor: CreationCursor | undefined,
): Promise<void> {
  const { created_at: createdAt, id } = cursor ?? FIRST_CURSOR;
  await scope.execute(
    sql`UPDATE auto_enroll_passes SET list_index = ${cursor ? listIndex : listIndex + 1}, after_created_at = ${createdAt},
          after_id = ${id}, is_last = ${isLast}
        WHERE workspace_id = ${scope} AND campaign_id = ${campaign.id} AND request = ${request}::uuid`,
  );
}

/** Ends a pass, unless a new one was requested. If it was not the last one, that begins, as soon as it can. */
export async function endPass(scope: WorkspaceScope, { campaign, request, isLast }: Pass): Promise<void> {
  const own = sql`workspace_id = ${scope} AND campaign_id = ${campaign.id} AND request = ${request}::uuid`;
  await scope.execute(
    isLast
      ? sql`DELETE FROM auto_enroll_passes WHERE ${own}`
      : sql`UPDATE auto_enroll_passes SET list_index = 0, after_created_at = ${FIRST_CURSOR.created_at}, after_id = 0,
              is_last = TRUE
            WHERE ${own}`,
  );
}
