import { oldestTransaction, type UnfinishedTransaction } from '@outreach/database';
import { sql, type Sql, type WorkspacesInTime } from '../../platform/database/index.js';
import { workspaceRotation } from '../../platform/queue/index.js';
import { isPassReady } from './auto-enroll-passes.queries.js';

/** Campaigns whose last pass waits for the end of older transactions, and the oldest of these. */
export interface WaitingPasses {
  readonly passes: number;
  /** The transaction that has been open for longest; null if none is open. */
  readonly transaction: UnfinishedTransaction | null;
}

/** SELECT of the {@link WaitingPasses}: one row, also if no pass waits. */
export const waitingPasses: Sql = sql`
  WITH waiting AS MATERIALIZED (
    SELECT count(*)::int AS passes FROM auto_enroll_passes pass
    JOIN campaigns campaign ON campaign.workspace_id = pass.workspace_id AND campaign.id = pass.campaign_id
    WHERE campaign.status = 'active' AND campaign.auto_enrolls AND NOT ${isPassReady}
  )
  SELECT waiting.passes, to_jsonb(oldest) AS transaction FROM waiting LEFT JOIN (${oldestTransaction}) oldest ON TRUE`;

/**
 * Selects the workspaces with changed contacts, or members, that an active campaign has not examined; they take turns. It
 * probes two indexes per workspace and campaign, however many contacts wait.
 */
export function dueAutoEnrollment(workspaces: WorkspacesInTime): Sql {
  return sql`SELECT enrolling.workspace_id, enrolling.workspace_id AS id FROM (
      SELECT campaign.workspace_id, bool_or(EXISTS (
        SELECT 1 FROM auto_enroll_passes pass
        WHERE pass.workspace_id = campaign.workspace_id AND pass.campaign_id = campaign.id AND ${isPassReady})) AS has_pass
      FROM campaigns campaign WHERE campaign.status = 'active'
        AND campaign.auto_enrolls${workspaces.within(sql`campaign.workspace_id`)}
      GROUP BY campaign.workspace_id) enrolling
    WHERE enrolling.has_pass OR EXISTS (
      SELECT 1 FROM changed_contacts change WHERE change.workspace_id = enrolling.workspace_id)
    ${workspaceRotation(sql`enrolling.workspace_id`)}`;
}
