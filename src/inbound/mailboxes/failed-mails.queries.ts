import type { ReadFolder } from '../../email-accounts/index.js';
import { sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { leasedReading, LeaseLost } from './reading-leases.queries.js';

/** The longest pause between two tries of one mail. */
const MAX_PAUSE_SECONDS = 21_600;
/** For how long a mail that cannot be read is tried again. */
const RETENTION_DAYS = 7;
/** After so many tries `email_account.mail_skipped` is published. */
export const TRIES_UNTIL_REPORT = 3;

export interface MailPosition {
  readonly folder: ReadFolder;
  readonly uid_validity: number;
  readonly uid: number;
}

export interface FailedMailPosition extends MailPosition {
  readonly is_due: boolean;
}

/**
 * Returns the mails of a mailbox that could not be read, those that are due first. Deletes those that have failed for a week, if
 * that was published or if their folder does not exist any more.
 * @param folders those that exist
 */
export async function findFailedMails(
  scope: WorkspaceScope,
  accountId: number,
  folders: readonly ReadFolder[],
): Promise<FailedMailPosition[]> {
  const isOver = sql`(failed_at < ${sql.realNow} - make_interval(days => ${RETENTION_DAYS})
    AND (tries >= ${TRIES_UNTIL_REPORT} OR folder <> ALL(${[...folders]}::text[])))`;
  return scope.query<FailedMailPosition>(
    sql`WITH expired AS (
          DELETE FROM failed_mails WHERE workspace_id = ${scope} AND email_account_id = ${accountId} AND ${isOver}
        )
        SELECT folder, uid_validity, uid, next_try_at <= ${sql.realNow} AS is_due FROM failed_mails
        WHERE workspace_id = ${scope} AND email_account_id = ${accountId} AND NOT ${isOver}
        ORDER BY next_try_at, uid`,
  );
}

export interface FailedTry extends MailPosition {
  /** Which mail it is, and what has happened. */
  readonly error: string;
  /** The pause before the next try doubles with each one, from twice this. */
  readonly pause_seconds: number;
}

/** Counts a try. @returns how many there were @throws LeaseLost if the mailbox is not leased by this worker any more */
export async function noteFailedTry(scope: WorkspaceScope, accountId: number, failed: FailedTry): Promise<number> {
  const { folder, uid_validity: uidValidity, uid, error, pause_seconds: seconds } = failed;
  const pause = sql`make_interval(secs => least(${MAX_PAUSE_SECONDS}, ${seconds} * 2.0 ^ least(mail.tries + 1, 20)))`;
  const [noted] = await scope.query<{ tries: number }>(
    sql`WITH leased AS (${leasedReading(scope, accountId)})
        INSERT INTO failed_mails AS mail (workspace_id, email_account_id, folder, uid_validity, uid, error, failed_at,
          next_try_at)
        SELECT ${scope}, ${accountId}::bigint, ${folder}::text, ${uidValidity}::bigint, ${uid}::bigint, ${error}::text,
          ${sql.realNow}, ${sql.realNow} + make_interval(secs => least(${MAX_PAUSE_SECONDS}, 2.0 * ${seconds})) FROM leased
        ON CONFLICT (workspace_id, email_account_id, folder, uid_validity, uid) DO UPDATE SET tries = mail.tries + 1,
          error = EXCLUDED.error, next_try_at = ${sql.later(sql.realNow, pause)}
        RETURNING tries`,
  );
  if (!noted) throw new LeaseLost();
  return noted.tries;
}

/** Deletes a mail from those that could not be read: it was read, or it does not exist any more. */
export async function deleteFailedMail(
  scope: WorkspaceScope,
  accountId: number,
  position: MailPosition,
): Promise<void> {
  const { folder, uid_validity: uidValidity, uid } = position;
  await scope.execute(
    sql`DELETE FROM failed_mails WHERE workspace_id = ${scope} AND email_account_id = ${accountId} AND folder = ${folder}
          AND uid_validity = ${uidValidity} AND uid = ${uid}`,
  );
}
