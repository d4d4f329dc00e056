import { Injectable } from '@nestjs/common';
import { Database, sql } from '../../platform/database/index.js';
import { workspaceRotation, type JobKey, LEASE_SECONDS } from '../../platform/queue/index.js';
import { hasDueDelivery, isNotLeased } from './webhook-leases.queries.js';

/** Queries over the webhooks of all workspaces. */
@Injectable()
export class DueWebhooks {
  private readonly database: Database;

  constructor(database: Database) {
    this.database = database.withoutTimeLimits();
  }

  /**
   * Returns webhooks that have a due delivery and that no live worker has leased; the workspaces take turns. One index
   * lookup per webhook, however many deliveries it has.
   */
  keys(): Promise<JobKey[]> {
    const workspace = sql`webhook.workspace_id`;
    return this.database.query<JobKey & { id: number }>(
      sql`SELECT webhook.workspace_id, webhook.id FROM webhooks webhook
          WHERE ${isNotLeased} AND ${hasDueDelivery(workspace, this.database.nowOf(workspace))}
          ${workspaceRotation(workspace)}`,
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
