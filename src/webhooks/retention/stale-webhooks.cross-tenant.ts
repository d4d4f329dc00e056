import { Injectable } from '@nestjs/common';
import { Database, sql } from '../../platform/database/index.js';
import { WorkspaceScope } from '../../platform/tenancy/index.js';
import { type ExpiringTable, isOlderThan, waitsTooLong } from './expired-rows.queries.js';

const BATCH_SIZE = 5_000;

/** A webhook with deliveries that are too old. */
export interface StaleWebhook {
  readonly scope: WorkspaceScope;
  readonly webhook_id: number;
}

/** Finds and deletes expired rows of all workspaces. */
@Injectable()
export class StaleWebhooks {
  private readonly database: Database;

  constructor(database: Database) {
    this.database = database.withoutTimeLimits();
  }

  /** Returns webhooks with deliveries that wait for too long: see {@link waitsTooLong}. */
  async olderThan(days: number): Promise<StaleWebhook[]> {
    const rows = await this.database.query<{ workspace_id: number; id: number }>(
      sql`SELECT webhook.workspace_id, webhook.id FROM webhooks webhook
          WHERE EXISTS (
            SELECT 1 FROM webhook_deliveries delivery
            WHERE delivery.workspace_id = webhook.workspace_id AND delivery.webhook_id = webhook.id
              AND ${waitsTooLong(days, this.database.nowOf(sql`webhook.workspace_id`))})`,
    );
    return Promise.all(
      rows.map(async ({ workspace_id: workspaceId, id }) => ({
        scope: await WorkspaceScope.open(workspaceId, this.database),
        webhook_id: id,
      })),
    );
  }

  /**
   * Deletes the rows of sandboxes that are too old by their clocks, in batches. Those of other workspaces are dropped with
   * the partitions of their days.
   */
  async deleteOfSandboxes(table: ExpiringTable, days: number): Promise<void> {
    const ahead = this.database.workspacesAhead;
    if (!ahead) return;
    const workspace = sql`old.workspace_id`;
    let deleted = BATCH_SIZE;
    while (deleted === BATCH_SIZE) {
      deleted = await this.database.execute(
        sql`DELETE FROM ${sql.ref(table)} WHERE (workspace_id, id, created_at) IN (
              SELECT old.workspace_id, old.id, old.created_at FROM ${sql.ref(table)} old
              WHERE ${isOlderThan(days, ahead.now(workspace))}${ahead.within(workspace)}
              LIMIT ${BATCH_SIZE})`,
      );
    }
  }

  async deleteCountsBefore(oldest: Date): Promise<void> {
    await this.database.execute(sql`DELETE FROM webhook_log_counts WHERE day < ${oldest.toISOString().slice(0, 10)}`);
  }
}
