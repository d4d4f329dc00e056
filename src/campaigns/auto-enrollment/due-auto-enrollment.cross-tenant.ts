import { Injectable } from '@nestjs/common';
import { type Sql, sql, type WorkspacesInTime } from '../../platform/database/index.js';
import { workspaceRotation } from '../../platform/queue/index.js';
import { isPassReady } from './auto-enroll-passes.queries.js';

/** Queries over the campaigns of all workspaces that enroll by themselves. */
@Injectable()
export class DueAutoEnrollment {
  /**
   * Selects the workspaces with changed contacts, or members, that an active campaign has not examined; they take turns. It
   * probes two indexes per workspace and campaign, however many contacts wait.
   */
  keys(workspaces: WorkspacesInTime): Sql {
    return sql`SELECT enrolling.workspace_id, enrolling.workspace_id AS id FROM (
        SELECT campaign.workspace_id, bool_or(EXISTS (
          SELECT 1 FROM auto_enroll_passes pass
          WHERE pass.workspace_id = campaign.workspace_id AND pass.campaign_id = campaign.id AND ${isPassReady})) AS has_pass
        FROM campaigns campaign WHERE campaign.status = 'active' AND campaign.auto_enrolls${workspaces.within(sql`campaign.workspace_id`)}
        GROUP BY campaign.workspace_id) enrolling
      WHERE enrolling.has_pass OR EXISTS (
        SELECT 1 FROM changed_contacts change WHERE change.workspace_id = enrolling.workspace_id)
      ${workspaceRotation(sql`enrolling.workspace_id`)}`;
  }
}
