import { Injectable } from '@nestjs/common';
import { Database, type Sql, sql, type WorkspacesInTime } from '../../platform/database/index.js';
import {
  workspaceRotation,
  type JobKey,
  LEASE_SECONDS,
  MAX_UNTOUCHED_SECONDS,
  UntouchedKeys,
} from '../../platform/queue/index.js';
import { isNotLeasedAndHasDueDelivery } from './webhook-leases.queries.js';

/** Queries over the webhooks of all workspaces. */
@Injectable()
export class DueWebhooks {
  private readonly database: Database;
  private readonly untouchedKeys: UntouchedKeys;

  constructor(database: Database) {
    this.database = database.withoutTimeLimits();
    this.untouchedKeys = new UntouchedKeys(database, () => this.untouchedOnes());
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

  /**
   * Webhooks with a delivery that has been due for a minute and that no worker has attempted since. See {@link
   * UntouchedKeys.find}.
   */
  untouched(): Promise<readonly JobKey[]> {
    return this.untouchedKeys.find();
  }

  private untouchedOnes(): Sql {
    const workspace = sql`webhook.workspace_id`;
    const before = sql`${this.database.nowOf(workspace)} - make_interval(secs => ${MAX_UNTOUCHED_SECONDS})`;
    return sql`SELECT webhook.workspace_id, webhook.id FROM webhooks webhook
      WHERE ${isNotLeasedAndHasDueDelivery(workspace, before)}
        AND coalesce(webhook.last_triggered_at <= ${before}, TRUE)`;
  }

  /** Extends the leases of a worker. Locks the rows by ID, as statements that record results do, to prevent deadlocks. */
  async renew(worker: string, ids: readonly number[]): Promise<void> {
    await this.database.execute(
      sql`WITH locked AS MATERIALIZED (
            SELECT workspace_id, id FROM webhooks
            WHERE leased_by = ${worker} AND id = ANY(${[...ids]}::bigint[])
            ORDER BY id FOR NO KEY UPDATE
          )
          UPDATE webhooks webhook SET lease_until = ${sql.realNow} + make_interval(secs => ${LEASE_SECONDS})
          FROM locked WHERE webhook.workspace_id = locked.workspace_id AND webhook.id = locked.id`,
    );
  }
}
