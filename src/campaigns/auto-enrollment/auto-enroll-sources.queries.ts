import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';

/** The lists and segments whose members a campaign enrolls while it is active. */
export interface AutoEnroll {
  readonly list_ids: readonly number[];
  readonly segment_ids: readonly number[];
}

/** A campaign that enrolls by itself. */
export interface AutoEnrollingCampaign extends AutoEnroll {
  readonly id: number;
}

const idsOf = (column: 'list_id' | 'segment_id'): Sql => {
  const id = sql`source.${sql.ref(column)}`;
  return sql`coalesce(json_agg(${id} ORDER BY source.position) FILTER (WHERE ${id} IS NOT NULL), '[]')`;
};

/** SQL expression: the {@link AutoEnroll} of the campaign with this ID, or null. */
export const autoEnrollOf = (scope: WorkspaceScope, campaignId: Sql): Sql =>
  sql`(SELECT CASE WHEN count(*) > 0 THEN json_build_object(
          'list_ids', ${idsOf('list_id')}, 'segment_ids', ${idsOf('segment_id')}) END
       FROM auto_enroll_sources source WHERE source.workspace_id = ${scope} AND source.campaign_id = ${campaignId})`;

/** Replaces the lists and segments of a campaign, in this order. One that is named twice counts once. */
export async function replaceAutoEnroll(
  scope: WorkspaceScope,
  campaignId: number,
  input: AutoEnroll | null,
): Promise<void> {
  const [lists, segments] = [[...new Set(input?.list_ids)], [...new Set(input?.segment_ids)]];
  // The row lock serializes concurrent calls.
  await scope.execute(
    sql`SELECT 1 FROM campaigns WHERE workspace_id = ${scope} AND id = ${campaignId} FOR NO KEY UPDATE`,
  );
  await scope.execute(
    sql`DELETE FROM auto_enroll_sources WHERE workspace_id = ${scope} AND campaign_id = ${campaignId}`,
  );
  if (lists.length + segments.length === 0) return;
  await scope.execute(
    sql`INSERT INTO auto_enroll_sources (workspace_id, campaign_id, position, list_id, segment_id)
        SELECT ${scope}, ${campaignId}, row_number() OVER (ORDER BY input.segment_id IS NOT NULL, input.position) - 1,
          input.list_id, input.segment_id
        FROM (
          SELECT list.id AS list_id, NULL::bigint AS segment_id, list.position
          FROM unnest(${lists}::bigint[]) WITH ORDINALITY AS list (id, position)
          UNION ALL
          SELECT NULL, segment.id, segment.position
          FROM unnest(${segments}::bigint[]) WITH ORDINALITY AS segment (id, position)) input`,
  );
}

/** The active campaigns of the workspace with a greater ID that enroll by themselves, in the order of their IDs. */
export const autoEnrollingCampaigns = (scope: WorkspaceScope, after: number): Promise<AutoEnrollingCampaign[]> =>
  scope
    .query<{ id: number; auto_enroll: AutoEnroll }>(
      sql`SELECT campaign.id, ${autoEnrollOf(scope, sql`campaign.id`)} AS auto_enroll FROM campaigns campaign
        WHERE campaign.workspace_id = ${scope} AND campaign.status = 'active' AND campaign.auto_enrolls
          AND campaign.id > ${after}
        ORDER BY campaign.id`,
    )
    .then((rows) => rows.flatMap(({ id, auto_enroll: own }) => (own ? [{ id, ...own }] : [])));
