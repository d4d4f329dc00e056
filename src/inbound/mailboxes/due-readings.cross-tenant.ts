import { MAX_UNTOUCHED_SECONDS } from '@outreach/job-queue';
import { sql, type Sql, type WorkspacesInTime } from '../../platform/database/index.js';
import { workspaceRotation } from '../../platform/queue/index.js';
import { isReadingFree } from './reading-leases.queries.js';

/** Selects mailboxes that are due and that no live worker has leased; the workspaces take turns. */
export const dueReadings = (workspaces: WorkspacesInTime): Sql =>
  sql`${dueAt(sql.realNow)}${workspaces.within(sql`reading.workspace_id`)}
      ${workspaceRotation(sql`reading.workspace_id`)}`;

/** Selects mailboxes that have been due for a minute and that no worker has leased. */
export const untouchedReadings = (): Sql =>
  dueAt(sql`${sql.realNow} - make_interval(secs => ${MAX_UNTOUCHED_SECONDS})`);

const dueAt = (instant: Sql): Sql =>
  sql`SELECT reading.workspace_id, reading.email_account_id AS id FROM mailbox_readings reading
      WHERE reading.next_read_at <= ${instant} AND ${isReadingFree}`;
