import { Injectable } from '@nestjs/common';
import { MAX_UNTOUCHED_SECONDS, UntouchedKeys } from '@outreach/job-queue';
import { Database, type Sql, sql, type WorkspacesInTime } from '../../platform/database/index.js';
import { workspaceRotation } from '../../platform/queue/index.js';
import { isNotLeasedAndHasDueDelivery } from './webhook-leases.queries.js';

/** Queries over the webhooks of all workspaces. */
@Injectable()
export class DueWebhooks {
  /** Webhooks with a delivery that has been due for a minute and that no worker has attempted since. */
  readonly untouched: UntouchedKeys;

  constructor(private readonly database: Database) {
    this.untouched = new UntouchedKeys(database, () => this.untouchedOnes());
  }

  /**
   * Selects webhooks that have a due delivery and that no live worker has leased; the workspaces take turns. One index
   * lookup per webhook, however many deliveries it has.
   */
  keys(workspaces: WorkspacesInTime): Sql {
    const workspace = sql`webhook.workspace_id`;
    return sql`SELECT webhook.workspace_id, webhook.id FROM webhooks webhook
          WHERE ${isNotLeasedAndHasDueDelivery(workspace, workspaces.now(workspace))}${workspaces.within(workspace)}
          ${workspaceRotation(workspace)}`;
  }

  private untouchedOnes(): Sql {
    const workspace = sql`webhook.workspace_id`;
    const before = sql`${this.database.nowOf(workspace)} - make_interval(secs => ${MAX_UNTOUCHED_SECONDS})`;
    return sql`SELECT webhook.workspace_id, webhook.id FROM webhooks webhook
      WHERE ${isNotLeasedAndHasDueDelivery(workspace, before)}
        AND coalesce(webhook.last_triggered_at <= ${before}, TRUE)`;
  }
}
