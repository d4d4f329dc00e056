import { Injectable } from '@nestjs/common';
import { MAX_UNTOUCHED_SECONDS, UntouchedKeys } from '@outreach/job-queue';
import { Database, type Sql, sql, type WorkspacesInTime } from '../../platform/database/index.js';
import { workspaceRotation } from '../../platform/queue/index.js';
import { isReadingFree } from './reading-leases.queries.js';

/** Queries over the mailboxes of all workspaces. */
@Injectable()
export class DueReadings {
  /** Mailboxes that have been due for a minute and that no worker has leased. */
  readonly untouched: UntouchedKeys;

  constructor(database: Database) {
    const earlier = sql`${sql.realNow} - make_interval(secs => ${MAX_UNTOUCHED_SECONDS})`;
    this.untouched = new UntouchedKeys(database, () => dueAt(earlier));
  }

  /** Selects mailboxes that are due and that no live worker has leased; the workspaces take turns. */
  keys(workspaces: WorkspacesInTime): Sql {
    return sql`${dueAt(sql.realNow)}${workspaces.within(sql`reading.workspace_id`)}
      ${workspaceRotation(sql`reading.workspace_id`)}`;
  }
}

const dueAt = (instant: Sql): Sql =>
  sql`SELECT reading.workspace_id, reading.email_account_id AS id FROM mailbox_readings reading
      WHERE reading.next_read_at <= ${instant} AND ${isReadingFree}`;
