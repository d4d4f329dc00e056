import { sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { CHECKING_SENT_MAIL } from '../rules/index.js';

/** What is not in the sent mail this long after the connection was lost was not sent (API v1, "Uncertain messages"). */
const NOT_SENT_AFTER_SECONDS = 60;
/** Before that, the sent mail is searched this often: most servers show a message at once. */
const SEARCH_SECONDS = 15;
/** How often a search is repeated that has failed. */
const RETRY_SECONDS = 30;
/** How many messages one session searches for. */
const MAX_MESSAGES = 50;
/** How many messages that were surely sent show whether a mailbox stores what is sent. */
const MAX_ACCEPTED = 3;

export interface CheckedMessage {
  readonly id: number;
  /** Without angle brackets. */
  readonly message_id: string;
  /** If a mailbox that stores what is sent does not have it now, it was not sent. */
  readonly is_late: boolean;
}

/**
 * Returns the uncertain messages of an account whose next search is due, those that wait longest first, and postpones the one
 * after that. The lease of an uncertain message ended when its connection was lost. The mailbox of a sandbox is empty and stays
 * so: the clock of the sandbox does not have to wait for it.
 */
export async function claimChecks(scope: WorkspaceScope, accountId: number): Promise<CheckedMessage[]> {
  const waitSeconds = (await scope.isSandbox()) ? 0 : NOT_SENT_AFTER_SECONDS;
  const lateAt = sql.later(sql`message.lease_until`, sql`make_interval(secs => ${waitSeconds})`);
  return scope.query<CheckedMessage>(
    sql`WITH due AS MATERIALIZED (
          SELECT id, next_attempt_at, lease_until FROM queued_messages message
          WHERE message.workspace_id = ${scope} AND message.email_account_id = ${accountId} AND message.status = 'sending'
            AND message.reason = ${CHECKING_SENT_MAIL} AND message.next_attempt_at <= ${sql.realNow}
          ORDER BY message.next_attempt_at, message.lease_until, message.id LIMIT ${MAX_MESSAGES} FOR UPDATE SKIP LOCKED
        ), claimed AS (
          UPDATE queued_messages message SET next_attempt_at = CASE
            WHEN ${lateAt} <= ${sql.realNow} THEN ${sql.later(sql.realNow, sql`make_interval(secs => ${RETRY_SECONDS})`)}
            ELSE least(${lateAt}, ${sql.later(sql.realNow, sql`make_interval(secs => ${SEARCH_SECONDS})`)}) END
          FROM due WHERE message.workspace_id = ${scope} AND message.id = due.id
          RETURNING message.id, message.message_id, ${lateAt} <= ${sql.realNow} AS is_late
        )
        SELECT claimed.* FROM claimed JOIN due ON due.id = claimed.id
        ORDER BY due.next_attempt_at, due.lease_until, due.id`,
  );
}

/** A message that the server of its account has accepted. */
export interface SentMessage {
  /** Without angle brackets. */
  readonly message_id: string;
  /** It was sent so long ago that a mailbox that stores what is sent has it. */
  readonly is_late: boolean;
}

/**
 * Returns the last messages that an account has surely sent, at most one for each of its last days, the latest first. Those
 * that were sent before the account was changed say nothing about its mailbox of today.
 */
export const lastAccepted = (scope: WorkspaceScope, accountId: number): Promise<SentMessage[]> =>
  scope.query<SentMessage>(
    sql`SELECT message.message_id,
          message.sent_at <= ${scope.now} - make_interval(secs => ${NOT_SENT_AFTER_SECONDS}) AS is_late
        FROM email_account_days day
        JOIN email_accounts account ON account.workspace_id = ${scope} AND account.id = day.email_account_id
        JOIN messages message ON message.workspace_id = ${scope} AND message.id = day.last_message_id
        WHERE day.workspace_id = ${scope} AND day.email_account_id = ${accountId}
          AND message.sent_at >= account.updated_at AND message.message_id IS NOT NULL AND message.status <> 'unknown'
        ORDER BY day.day DESC LIMIT ${MAX_ACCEPTED}`,
  );

/**
 * Ends the search for messages of which the sent mail says nothing: the next recovery lets the `on_unknown` of their
 * campaigns decide.
 */
export async function endChecks(scope: WorkspaceScope, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await scope.execute(
    sql`UPDATE queued_messages message SET next_attempt_at = 'infinity'
        WHERE message.workspace_id = ${scope} AND message.id = ANY(${[...ids]}::bigint[])
          AND message.status = 'sending' AND message.reason = ${CHECKING_SENT_MAIL}`,
  );
}

/**
 * Makes the next search of messages due that were claimed, but not looked for. They come before those that were, which may
 * be due again by then: `next_attempt_at` is when their connections were lost.
 */
export async function requeueChecks(scope: WorkspaceScope, messages: readonly CheckedMessage[]): Promise<void> {
  if (messages.length === 0) return;
  await scope.execute(
    sql`UPDATE queued_messages message SET next_attempt_at = message.lease_until
        WHERE message.workspace_id = ${scope} AND message.id = ANY(${messages.map(({ id }) => id)}::bigint[])
          AND message.status = 'sending' AND message.reason = ${CHECKING_SENT_MAIL}`,
  );
}
