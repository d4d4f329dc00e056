import { Injectable } from '@nestjs/common';
import type { StatementPart } from '@outreach/database';
import {
  hasSession,
  isLeaseOver,
  LEASE_SECONDS,
  LeaseRenewer,
  MAX_STALL_SECONDS,
  WORKER,
  WorkerSession,
} from '@outreach/job-queue';
import { isReadIn } from '../../email-accounts/index.js';
import { Database, type Sql, sql, SqlValue } from '../../platform/database/index.js';
import { CHECKING_SENT_MAIL, isRefundable, noteUncertain, refund, TEMPORARY_FAILURE } from '../rules/index.js';
import { MAX_UNCERTAIN_ATTEMPTS, MAY_BE_ACCEPTED, recorded } from '../results/index.js';

/** The leases on the messages that this process has claimed, in any number of workspaces. */
@Injectable()
export class MessageLeases extends LeaseRenewer {
  /**
   * Skips messages that are locked: these are being set to `sending`, or their result is being recorded. Reads the list of
   * claims, so that the cost does not depend on how many messages wait.
   */
  protected override renewal(ids: readonly number[], within: Within): Sql {
    const extended = sql`lease_until = ${sql.realNow} + make_interval(secs => ${LEASE_SECONDS})`;
    const ofMessage = within(sql`message.workspace_id`);
    const own = sql`message.leased_by = ${WORKER} AND message.id = ANY(${[...ids]}::bigint[])${ofMessage}`;
    return sql.byEngine(
      sql`WITH leased AS MATERIALIZED (
        SELECT message.workspace_id, message.id FROM (${claimedMessages(sql`claim.claimed_by = ${WORKER}`)}) claimed
        JOIN queued_messages message ON message.workspace_id = claimed.workspace_id AND message.id = claimed.id
        WHERE ${own}
        FOR UPDATE OF message SKIP LOCKED
      )
      UPDATE queued_messages message SET ${extended}
      FROM leased WHERE message.workspace_id = leased.workspace_id AND message.id = leased.id`,
      sql`UPDATE queued_messages message SET ${extended} WHERE ${own}`,
    );
  }
}

/** Selects `workspace_id` and `id` of the messages of claims. One may have its result since, or be in a later claim, too. */
const claimedMessages = (which: Sql): Sql => sql`
  SELECT DISTINCT claim.workspace_id, listed.id FROM message_claims claim
  CROSS JOIN unnest(claim.message_ids) AS listed (id) WHERE ${which}`;

/** Deletes the claims none of whose messages was leased when the statement began. */
const deleteSettledClaims = (within: Sql): Sql => sql`
  DELETE FROM message_claims claim WHERE NOT EXISTS (
    SELECT 1 FROM queued_messages message WHERE message.workspace_id = claim.workspace_id
      AND message.id = ANY(claim.message_ids) AND message.lease_until IS NOT NULL)${within}`;

/** On several nodes, how long a connected worker has to renew a lease after {@link LeaseRecovery} has seen that it does not. */
const RENEWAL_SECONDS = 10;

const secondsAgo = (seconds: number): Sql => sql`${sql.realNow} - make_interval(secs => ${seconds})`;

/** The condition that the worker of the row `message` is another one, which is connected. */
const isOfConnected = sql`(message.leased_by <> ${WORKER}::uuid AND ${hasSession(sql`message.leased_by`)})`;

/** The condition, on several nodes, that `message` is in a claim. @param claims a condition on `claim` */
const isInClaim = (claims: Sql): Sql =>
  sql`message.id = ANY(ARRAY(SELECT unnest(claim.message_ids) FROM message_claims claim WHERE ${claims}))`;

/** How long the sent mail of an account is asked in vain before `on_unknown` decides. */
const MAX_CHECK_SECONDS = 300;

export interface Recovered {
  /** Claimed but not sent: queued again. */
  readonly returned: number;
  /** Interrupted while sending, and queued again with the same Message-ID. */
  readonly resent: number;
  /** Interrupted while sending, and looked for in the sent mail from now on. */
  readonly asked: number;
  /** Interrupted while sending, and not sent again unless a user retries them: `hold`, or for the second time. */
  readonly unknown: number;
}

const NOTHING: Recovered = { returned: 0, resent: 0, asked: 0, unknown: 0 };
const added = (one: Recovered, other: Recovered): Recovered => ({
  returned: one.returned + other.returned,
  resent: one.resent + other.resent,
  asked: one.asked + other.asked,
  unknown: one.unknown + other.unknown,
});

type Within = (owner: Sql) => Sql;

/** The columns of {@link Recovered}, of the selected messages. */
const COUNTS = sql`count(*) FILTER (WHERE status = 'queued') AS returned,
  count(*) FILTER (WHERE status = 'sending' AND NOT is_held AND NOT is_asked) AS resent,
  count(*) FILTER (WHERE is_asked) AS asked, count(*) FILTER (WHERE is_held) AS unknown`;

/** A parameter whose value is that of the moment at which its statement is sent, which may have waited for a connection. */
class CurrentValue extends SqlValue {
  constructor(private readonly read: () => unknown) {
    super();
  }

  get sqlValue(): unknown {
    return this.read();
  }
}

/** Recovers the messages of dead workers, in all workspaces. */
@Injectable()
export class LeaseRecovery {
  private readonly database: Database;
  /** The messages whose leases this process still renews. It records their results, even if the leases have expired. */
  private readonly leased: SqlValue;
  /** Whether this process may call others dead: after an outage of the database these need some time to return. */
  private readonly judgesOthers: SqlValue;

  constructor(database: Database, leases: MessageLeases, session: WorkerSession) {
    this.database = database.withoutTimeLimits();
    this.leased = new CurrentValue(() => leases.ids);
    this.judgesOthers = new CurrentValue(() => session.isSettled);
  }

  /**
   * Settles the messages whose leases are over. A claimed one is queued again, and the daily limit of its account
   * is refunded. One that was `sending` may have been accepted: if the mailbox of its account is read, it is looked for
   * there, for five minutes or until the sent mail is known to say nothing. Otherwise that is counted, and the daily limit is
   * not refunded: the `on_unknown` of its campaign decides whether it is queued again (`resend`) or becomes `unknown` (`hold`).
   * At the second time it becomes `unknown` in any case, and also if its account was deleted: the message of another account
   * would not show that it may be the second one. Claims whose messages are settled are deleted, too.
   */
  async recover(): Promise<Recovered> {
    if (!this.database.isDistributed) return this.recoverIn(() => sql.empty);
    // Rows of several nodes cannot be locked in one statement.
    const claims = await this.database.onReachableNodes((within) =>
      this.database.query<{ id: number }>(
        sql`SELECT DISTINCT claim.workspace_id AS id FROM message_claims claim
            LEFT JOIN queued_messages message ON message.workspace_id = claim.workspace_id
              AND message.id = ANY(claim.message_ids) AND message.lease_until IS NOT NULL
            WHERE (message.id IS NULL OR message.lease_until <= ${sql.realNow})${within(sql`claim.workspace_id`)}`,
      ),
    );
    const counts: Recovered[] = [];
    for (const { id } of claims) {
      await this.giveTime(id);
      counts.push(await this.recoverIn((owner) => sql` AND ${owner} = ${id}::bigint`));
    }
    return counts.reduce(added, NOTHING);
  }

  /**
   * Notes in `updated_at` which leases connected workers do not renew. They may not be stalled: if the node of the workspace was
   * away, which ends no session, they need some time for it. A lease is renewed later than its message is updated.
   */
  private async giveTime(workspaceId: number): Promise<void> {
    await this.database.execute(
      sql`UPDATE queued_messages message SET updated_at = ${sql.realNow}
          WHERE message.workspace_id = ${workspaceId} AND message.lease_until <= ${secondsAgo(MAX_STALL_SECONDS)}
            AND message.updated_at <= message.lease_until AND ${isOfConnected}
            AND ${isInClaim(sql`claim.workspace_id = ${workspaceId}`)}`,
    );
  }

  /** @param within the condition, beginning with `AND`, that the owner of a row is a workspace of these */
  private async recoverIn(within: Within): Promise<Recovered> {
    const expired = {
      name: 'expired',
      statement: this.expired(within),
      columns: sql`workspace_id bigint, id bigint, status text, email_account_id bigint, reserved_on date, was_asked boolean,
        is_asked boolean, is_held boolean`,
    };
    const [recovered] = await this.database.inParts<Recovered>(
      [
        expired,
        ...this.settled(within(sql`message.workspace_id`)),
        { name: 'updated_accounts', statement: this.updateAccounts(within) },
        { name: 'settled', statement: deleteSettledClaims(within(sql`claim.workspace_id`)) },
      ],
      sql`SELECT ${COUNTS} FROM expired`,
    );
    return recovered ?? NOTHING;
  }

  /** The parts of a statement that decide what becomes of the messages of `expired`. */
  private settled(ofMessage: Sql): StatementPart[] {
    const isExpired = sql`message.workspace_id = expired.workspace_id AND message.id = expired.id`;
    // `next_attempt_at` of a message whose sent mail was searched is the instant of the next search.
    const pauses = sql`(expired.status = 'sending' AND NOT expired.was_asked AND message.next_attempt_at > ${this.now})`;
    const ended = {
      name: 'ended',
      statement: sql`DELETE FROM queued_messages message USING expired WHERE ${isExpired} AND expired.is_held${ofMessage}
        RETURNING message.*`,
      rowsOf: 'queued_messages',
    };
    const asked = {
      name: 'asked',
      statement: sql`UPDATE queued_messages message SET leased_by = NULL, reason = ${CHECKING_SENT_MAIL},
          next_attempt_at = ${sql.realNow}, updated_at = ${this.now}
        FROM expired WHERE ${isExpired} AND expired.is_asked${ofMessage}`,
    };
    const returned = {
      name: 'returned',
      statement: sql`UPDATE queued_messages message SET leased_by = NULL, lease_until = NULL, updated_at = ${this.now},
          status = 'queued', uncertain_attempts = message.uncertain_attempts + (expired.status = 'sending')::int,
          next_attempt_at = CASE WHEN ${pauses} THEN message.next_attempt_at ELSE ${this.now} END,
          reason = CASE WHEN ${pauses} THEN ${TEMPORARY_FAILURE} END
        FROM expired WHERE ${isExpired} AND NOT expired.is_held AND NOT expired.is_asked${ofMessage}`,
    };
    const [status, reason] = ['unknown' as const, sql`${MAY_BE_ACCEPTED}`];
    const attempts = sql`uncertain_attempts + 1`;
    const unknown = recorded(sql`ended`, { status, reason, updated_at: this.now, uncertain_attempts: attempts });
    return [ended, unknown, asked, returned];
  }

  /**
   * Refunds the messages of `expired` that were not sent, and notes that others may have been: one UPDATE,
   * because a statement can change a row only once.
   */
  private updateAccounts(within: Within): Sql {
    const unsent = sql`(SELECT count(*)::int FROM unnest(settled.unsent) AS day WHERE ${isRefundable(sql`day`)})`;
    return sql`UPDATE email_accounts account SET ${refund(unsent)},
        ${noteUncertain(sql`settled.may_be_sent`, this.database.nowOf(sql`account.workspace_id`))}
      FROM (SELECT workspace_id, email_account_id, array_agg(reserved_on) FILTER (WHERE status = 'queued') AS unsent,
              bool_or(status = 'sending' AND NOT was_asked) AS may_be_sent
            FROM expired GROUP BY 1, 2) settled
      WHERE account.workspace_id = settled.workspace_id AND account.id = settled.email_account_id
        ${within(sql`account.workspace_id`)}`;
  }

  /**
   * Locks and selects the messages whose leases are over. `is_asked`: the sent mail of its account is searched from now on,
   * `was_asked`: it was before; `is_held`: it becomes `unknown`.
   */
  private expired(within: Within): Sql {
    const isChecked = sql`message.reason IS NOT DISTINCT FROM ${CHECKING_SENT_MAIL}`;
    const isAsked = sql`(message.status = 'sending' AND NOT (${isChecked}) AND coalesce(${isReadIn(sql`account`)}, FALSE))`;
    const claims = sql`TRUE${within(sql`claim.workspace_id`)}`;
    // Several nodes confuse the format of rows whose SELECT locks them and has a function or a sub-select in its FROM.
    const claimed = sql.byEngine(
      sql`(${claimedMessages(claims)}) claimed
        JOIN queued_messages message ON message.workspace_id = claimed.workspace_id AND message.id = claimed.id`,
      sql`queued_messages message`,
    );
    const isNoted = sql`message.updated_at BETWEEN message.lease_until AND ${secondsAgo(RENEWAL_SECONDS)}`;
    const isClaimed = sql.byEngine(sql`TRUE`, sql`${isInClaim(claims)} AND (NOT ${isOfConnected} OR ${isNoted})`);
    return sql`
      SELECT message.workspace_id, message.id, message.status, message.email_account_id, message.reserved_on,
        ${isChecked} AS was_asked,
        ${isAsked} AS is_asked,
        message.status = 'sending' AND NOT ${isAsked} AND (campaign.on_unknown = 'hold' OR message.email_account_id IS NULL
          OR message.uncertain_attempts + 1 >= ${MAX_UNCERTAIN_ATTEMPTS}) AS is_held
      FROM ${claimed}
      JOIN campaigns campaign ON campaign.workspace_id = message.workspace_id AND campaign.id = message.campaign_id
      LEFT JOIN email_accounts account
        ON account.workspace_id = message.workspace_id AND account.id = message.email_account_id
      WHERE ${isClaimed} AND ${isLeaseOver(sql`message`)}
        AND CASE WHEN message.leased_by = ${WORKER} THEN message.id <> ALL(${this.leased}::bigint[])
          ELSE message.leased_by IS NULL OR ${this.judgesOthers}::boolean END
        AND (NOT (${isChecked}) OR message.email_account_id IS NULL
          OR message.lease_until < ${sql.realNow} - make_interval(secs => ${MAX_CHECK_SECONDS})
          OR message.next_attempt_at = 'infinity')
        ${within(sql`message.workspace_id`)}
      ORDER BY message.id FOR UPDATE OF message SKIP LOCKED`;
  }

  private get now(): Sql {
    return this.database.nowOf(sql`message.workspace_id`);
  }
}
