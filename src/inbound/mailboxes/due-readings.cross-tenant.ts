import { Injectable } from '@nestjs/common';
import { Database, type Sql, sql, type WorkspacesInTime } from '../../platform/database/index.js';
import {
  type JobKey,
  LEASE_SECONDS,
  MAX_UNTOUCHED_SECONDS,
  UntouchedKeys,
  WORKER,
  workspaceRotation,
} from '../../platform/queue/index.js';
import { isReadingFree } from './reading-leases.queries.js';

/** Queries over the mailboxes of all workspaces. */
@Injectable()
export class DueReadings {
  private readonly database: Database;
  private readonly untouchedKeys: UntouchedKeys;

  constructor(database: Database) {
    this.database = database.withoutTimeLimits();
    const earlier = sql`${sql.realNow} - make_interval(secs => ${MAX_UNTOUCHED_SECONDS})`;
    this.untouchedKeys = new UntouchedKeys(database, () => dueAt(earlier));
  }

  /** Selects mailboxes that are due and that no live worker has leased; the workspaces take turns. */
  keys(workspaces: WorkspacesInTime): Sql {
    return sql`${dueAt(sql.realNow)}${workspaces.within(sql`reading.workspace_id`)}
      ${workspaceRotation(sql`reading.workspace_id`)}`;
  }

  /** Mailboxes that have been due for a minute and that no worker has leased. See {@link UntouchedKeys.find}. */
  untouched(): Promise<readonly JobKey[]> {
    return this.untouchedKeys.find();
  }

  /** Extends the leases of this worker. */
  async renew(ids: readonly number[]): Promise<void> {
    await this.database.execute(
      sql`WITH locked AS MATERIALIZED (
            SELECT workspace_id, email_account_id FROM mailbox_readings
            WHERE leased_by = ${WORKER} AND email_account_id = ANY(${[...ids]}::bigint[])
            ORDER BY email_account_id FOR NO KEY UPDATE
          )
          UPDATE mailbox_readings reading
          SET lease_until = ${sql.realNow} + make_interval(secs => ${LEASE_SECONDS}) FROM locked
          WHERE reading.workspace_id = locked.workspace_id AND reading.email_account_id = locked.email_account_id`,
    );
  }
}

const dueAt = (instant: Sql): Sql =>
  sql`SELECT reading.workspace_id, reading.email_account_id AS id FROM mailbox_readings reading
      WHERE reading.next_read_at <= ${instant} AND ${isReadingFree}`;
