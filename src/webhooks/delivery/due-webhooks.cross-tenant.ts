import { Injectable } from '@nestjs/common';
import { RecentResult } from '../../platform/concurrency/index.js';
import { Database, SAMPLE_LIMITS, type Sql, sql, type WorkspacesInTime } from '../../platform/database/index.js';
import { workspaceRotation, type JobKey, LEASE_SECONDS, MAX_UNTOUCHED_SECONDS } from '../../platform/queue/index.js';
import { isNotLeasedAndHasDueDelivery } from './webhook-leases.queries.js';

/** How many untouched webhooks are read. */
const MAX_UNTOUCHED = 100;
const MAX_AGE_MS = 20_000;
/** The part of the time that reading them takes at most. */
const PART = 0.01;

/** Queries over the webhooks of all workspaces. */
@Injectable()
export class DueWebhooks {
  private readonly database: Database;
  private readonly recentlyUntouched = new RecentResult(() => this.readUntouched(), MAX_AGE_MS, PART);

  constructor(database: Database) {
    this.database = database.withoutTimeLimits();
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
   * Returns webhooks with a delivery that has been due for a minute and that no worker has attempted since, in the order of
   * their IDs. The result may be 20 seconds old.
   */
  untouched(): Promise<JobKey[]> {
    return this.recentlyUntouched.get();
  }

  private readUntouched(): Promise<JobKey[]> {
    const workspace = sql`webhook.workspace_id`;
    const before = sql`${this.database.nowOf(workspace)} - make_interval(secs => ${MAX_UNTOUCHED_SECONDS})`;
    return this.database.withTimeLimits(SAMPLE_LIMITS).query<JobKey & { id: number }>(
      sql`SELECT webhook.workspace_id, webhook.id FROM webhooks webhook
          WHERE ${isNotLeasedAndHasDueDelivery(workspace, before)}
            AND coalesce(webhook.last_triggered_at <= ${before}, TRUE)
          ORDER BY webhook.workspace_id, webhook.id LIMIT ${MAX_UNTOUCHED}`,
    );
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
