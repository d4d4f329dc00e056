import { Injectable } from '@nestjs/common';
import { Database, sql } from '../../platform/database/index.js';
import { type JobKey, LEASE_SECONDS } from '../../platform/queue/index.js';
import { hasDue, isFree } from './due-deliveries.queries.js';

/** Looks after the webhooks of all workspaces: an index probe for each, however many deliveries wait. */
@Injectable()
export class DueWebhooks {
  constructor(private readonly database: Database) {}

  /** Those with something that may go now and that no living worker has. */
  keys(): Promise<JobKey[]> {
    return this.database.query<JobKey & { id: number }>(
      sql`SELECT webhook.workspace_id, webhook.id FROM webhooks webhook
          WHERE ${isFree} AND ${hasDue(sql`webhook.workspace_id`)}`,
    );
  }

  /** Keeps the leases of one process alive. In the order of those who record, who would wait for each other otherwise. */
  async renew(worker: string, ids: readonly number[]): Promise<void> {
    await this.database.execute(
      sql`WITH held AS MATERIALIZED (
            SELECT workspace_id, id FROM webhooks
            WHERE leased_by = ${worker} AND lease_until > now() AND id = ANY(${[...ids]}::bigint[])
            ORDER BY id FOR NO KEY UPDATE
          )
          UPDATE webhooks webhook SET lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
          FROM held WHERE webhook.workspace_id = held.workspace_id AND webhook.id = held.id`,
    );
  }
}
