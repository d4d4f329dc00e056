import { isLeaseOver, LEASE_SECONDS, WORKER } from '@outreach/job-queue';
import type { ReadFolder } from '../../email-accounts/index.js';
import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';

export interface LeasedReading {
  /** Mails that were received before are not read. */
  readonly read_from: Date;
  /** When it was due. If that changes during a run, e.g. with a new password, the mailbox is due again. */
  readonly next_read_at: Date;
  /** Of the runs before. */
  readonly failures: number;
}

export interface FolderCursor {
  readonly path: string;
  readonly uid_validity: number;
  readonly last_uid: number;
}

/** Another worker has taken over the mailbox, or it is not to be read any more. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** The condition that no live worker has leased the row `reading`. */
export const isReadingFree: Sql = sql`(reading.lease_until IS NULL OR ${isLeaseOver(sql`reading`)})`;

/** Leases a mailbox. @returns undefined if it is not due, or another worker has leased it */
export async function leaseReading(scope: WorkspaceScope, accountId: number): Promise<LeasedReading | undefined> {
  return scope.queryOne<LeasedReading>(
    sql`UPDATE mailbox_readings reading
        SET leased_by = ${WORKER}, lease_until = ${sql.realNow} + make_interval(secs => ${LEASE_SECONDS})
        WHERE reading.workspace_id = ${scope} AND reading.email_account_id = ${accountId}
          AND reading.next_read_at <= ${sql.realNow} AND ${isReadingFree}
        RETURNING reading.read_from, reading.next_read_at, reading.failures`.prepared(),
  );
}

/** SQL: one row if this worker has leased the mailbox, which no other worker can lease until the transaction ends. */
export const leasedReading = (scope: WorkspaceScope, accountId: number): Sql => sql`
  SELECT 1 FROM mailbox_readings
  WHERE workspace_id = ${scope} AND email_account_id = ${accountId} AND leased_by = ${WORKER} FOR SHARE`;

export async function findCursors(
  scope: WorkspaceScope,
  accountId: number,
): Promise<ReadonlyMap<ReadFolder, FolderCursor>> {
  const rows = await scope.query<FolderCursor & { folder: ReadFolder }>(
    sql`SELECT folder, path, uid_validity, last_uid FROM mailbox_cursors
        WHERE workspace_id = ${scope} AND email_account_id = ${accountId}`.prepared(),
  );
  return new Map(rows.map(({ folder, ...cursor }) => [folder, cursor]));
}

/** Stores how far this worker has read a folder. @throws LeaseLost if the mailbox is not leased by it any more */
export async function saveCursor(
  scope: WorkspaceScope,
  accountId: number,
  folder: ReadFolder,
  cursor: FolderCursor,
): Promise<void> {
  const saved = await scope.execute(
    sql`WITH leased AS (${leasedReading(scope, accountId)})
        INSERT INTO mailbox_cursors (workspace_id, email_account_id, folder, path, uid_validity, last_uid)
        SELECT ${scope}, ${accountId}::bigint, ${folder}::text, ${cursor.path}::text, ${cursor.uid_validity}::bigint,
          ${cursor.last_uid}::bigint FROM leased
        ON CONFLICT (workspace_id, email_account_id, folder) DO UPDATE SET path = EXCLUDED.path,
          uid_validity = EXCLUDED.uid_validity, last_uid = EXCLUDED.last_uid`,
  );
  if (saved === 0) throw new LeaseLost();
}

/** What has become of a run, and when the next one begins. */
export type RunResult =
  | { readonly kind: 'read to the end'; readonly next_seconds: number }
  | { readonly kind: 'more' }
  | {
      readonly kind: 'failed';
      /** Shown to the owner of the account. */
      readonly reason: string;
      readonly next_seconds: (failures: Sql) => Sql;
    };

/** Ends the lease of this worker. A mailbox that has become due during the run, because it was changed, stays due. */
export async function releaseReading(
  scope: WorkspaceScope,
  accountId: number,
  leased: LeasedReading,
  result: RunResult,
): Promise<void> {
  const isUnchanged = sql`next_read_at = ${leased.next_read_at}::timestamptz`;
  await scope.execute(
    sql`UPDATE mailbox_readings SET leased_by = NULL, lease_until = NULL, ${changesOf(scope, result, isUnchanged)}
        WHERE workspace_id = ${scope} AND email_account_id = ${accountId} AND leased_by = ${WORKER}`,
  );
}

function changesOf(scope: WorkspaceScope, result: RunResult, isUnchanged: Sql): Sql {
  const nextAfter = (seconds: Sql): Sql => sql`next_read_at = CASE WHEN ${isUnchanged}
    THEN ${sql.later(sql.realNow, sql`make_interval(secs => ${seconds})`)} ELSE next_read_at END`;
  switch (result.kind) {
    case 'read to the end':
      return sql`failures = 0, last_error = NULL, read_at = ${scope.now}, ${nextAfter(sql`${result.next_seconds}`)}`;
    case 'more':
      return sql`failures = 0, last_error = NULL, next_read_at = ${sql.realNow}`;
    case 'failed':
      return sql`failures = CASE WHEN ${isUnchanged} THEN failures + 1 ELSE 0 END,
        last_error = CASE WHEN ${isUnchanged} THEN ${result.reason}::text END, ${nextAfter(result.next_seconds(sql`failures`))}`;
    default:
      return result satisfies never;
  }
}
