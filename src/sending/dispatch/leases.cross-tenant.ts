import { today } from '../../email-accounts/index.js';
import { Injectable } from '@nestjs/common';
import { Database, sql } from '../../platform/database/index.js';
import { LEASE_SECONDS } from '../../platform/queue/index.js';

/** Keeps the leases of one process alive, whichever workspaces its messages belong to. */
@Injectable()
export class LeaseRenewal {
  constructor(private readonly database: Database) {}

  /** A message that is being written to at the moment is passed over: it is either marked or done just now. */
  async renew(worker: string, ids: readonly number[]): Promise<void> {
    await this.database.execute(
      sql`WITH leased AS MATERIALIZED (
            SELECT workspace_id, id FROM messages
            WHERE lease_until > now() AND leased_by = ${worker} AND id = ANY(${[...ids]}::bigint[])
            FOR UPDATE SKIP LOCKED
          )
          UPDATE messages message SET lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
          FROM leased WHERE message.workspace_id = leased.workspace_id AND message.id = leased.id`,
    );
  }
}

/** What a recovery has found. */
export interface Recovered {
  /** Claimed but never handed over: back in the queue. */
  readonly returned: number;
  /** Cut off in mid hand-over, to be sent again with the same Message-ID. */
  readonly resent: number;
  /** Cut off in mid hand-over and held back until somebody decides. */
  readonly unknown: number;
}

/** Takes up what dead workers have left behind, in all workspaces. */
@Injectable()
export class LeaseRecovery {
  constructor(private readonly database: Database) {}

  /**
   * Settles the leases that have run out. A claim goes back and refunds the account's day. A hand-over that was cut off
   * is uncertain, and its campaign decides: `resend` or `hold`.
   */
  async recover(): Promise<Recovered> {
    const [recovered] = await this.database.query<Recovered & { id: number }>(
      sql`WITH expired AS (
            SELECT message.workspace_id, message.id, message.status, message.email_account_id, campaign.on_unknown
            FROM messages message
            JOIN campaigns campaign ON campaign.workspace_id = message.workspace_id AND campaign.id = message.campaign_id
            WHERE message.lease_until <= now() ORDER BY message.id FOR UPDATE OF message SKIP LOCKED
          ), settled AS (
            UPDATE messages message SET leased_by = NULL, lease_until = NULL, next_attempt_at = now(), updated_at = now(),
              status = CASE WHEN expired.status = 'sending' AND expired.on_unknown = 'hold' THEN 'unknown' ELSE 'queued' END,
              reason = CASE WHEN expired.status = 'sending' AND expired.on_unknown = 'hold'
                THEN 'The connection was cut off before the server confirmed; it may have the message.' END
            FROM expired
            WHERE message.workspace_id = expired.workspace_id AND message.id = expired.id
            RETURNING message.workspace_id, message.email_account_id, message.status, expired.status AS was
          ), refunded AS (
            UPDATE email_accounts account SET sent_count = greatest(account.sent_count - back.messages, 0)
            FROM (SELECT workspace_id, email_account_id, count(*)::int AS messages FROM settled
                  WHERE status = 'queued' GROUP BY 1, 2) back
            WHERE account.workspace_id = back.workspace_id AND account.id = back.email_account_id
              AND account.counted_on = ${today}
          )
          SELECT count(*) FILTER (WHERE was = 'queued') AS returned,
            count(*) FILTER (WHERE was = 'sending' AND status = 'queued') AS resent,
            count(*) FILTER (WHERE status = 'unknown') AS unknown FROM settled`,
    );
    return recovered ?? { returned: 0, resent: 0, unknown: 0 };
  }
}
