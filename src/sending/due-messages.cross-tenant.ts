import { Injectable } from '@nestjs/common';
import { RecentResult } from '@outreach/concurrency';
import { Sampled } from '@outreach/metrics';
import { type ExplainedRow, SAMPLE_LIMITS } from '@outreach/database';
import { type JobKey, MAX_UNTOUCHED_SECONDS } from '@outreach/job-queue';
import { Database, type Sql, sql } from '../platform/database/index.js';
import { messagesDue, oldestDueSeconds } from './metrics/index.js';
import { blockedUntil, isBlocked, isOneByOne } from './rules/index.js';

/** Up to this number due messages are counted; beyond, their number is estimated. */
const MAX_COUNTED = 10_000;
/** How many untouched accounts are read. */
const MAX_UNTOUCHED = 100;
const SECONDS = 15;
/** Checks of health and samples of the metrics share a result for this time. */
const MAX_AGE_MS = 10_000;
/** The part of the time that reading takes at most: with very many accounts, results are used for longer. */
const PART = 0.01;

/** The accounts with queued messages, as a part of a `WITH`. Several nodes accept no recursive one: each probes its accounts. */
const ACCOUNTS_IN_QUEUE = sql.byEngine(
  sql`RECURSIVE account (workspace_id, id) AS (
      (SELECT workspace_id, email_account_id FROM queued_messages WHERE email_account_id IS NOT NULL
       ORDER BY workspace_id, email_account_id LIMIT 1)
      UNION ALL
      SELECT next.workspace_id, next.email_account_id FROM account CROSS JOIN LATERAL (
        SELECT message.workspace_id, message.email_account_id FROM queued_messages message
        WHERE (message.workspace_id, message.email_account_id) > (account.workspace_id, account.id)
        ORDER BY message.workspace_id, message.email_account_id LIMIT 1) next
    ),`,
  sql.empty,
);
const QUEUE = sql.byEngine(sql`account queue`, sql`(SELECT workspace_id, id FROM email_accounts) queue`);

/** The due messages of all workspaces. */
export interface DueMessages {
  readonly count: number;
  /** 0 if none is due. */
  readonly oldest_seconds: number;
  /** Email accounts with a message that has been due for {@link MAX_UNTOUCHED_SECONDS} and that no worker has used since. */
  readonly untouched: readonly JobKey[];
}

/**
 * Reads how many messages are due, and for how long. The statement jumps through the index of the queue from account to
 * account, so its cost depends on how many accounts have queued messages, and not on how many messages wait.
 */
@Injectable()
export class DueMessageSample {
  private readonly database: Database;
  private readonly recentResult = new RecentResult(() => this.read(), MAX_AGE_MS, PART);

  constructor(database: Database) {
    this.database = database.withTimeLimits(SAMPLE_LIMITS);
  }

  /** A result that is at most ten seconds old, or as old as 99 times the time that it takes. */
  recent(): Promise<DueMessages> {
    return this.recentResult.get();
  }

  @Sampled({ name: 'due_messages', gauges: [messagesDue, oldestDueSeconds], seconds: SECONDS })
  async sample(): Promise<void> {
    const due = await this.recent();
    messagesDue.set(due.count > MAX_COUNTED ? Math.max(due.count, await this.estimate()) : due.count);
    oldestDueSeconds.set(due.oldest_seconds);
  }

  private async read(): Promise<DueMessages> {
    const [due] = await this.database.query<DueMessages & { count: number }>(
      sql`WITH ${ACCOUNTS_IN_QUEUE} waiting AS MATERIALIZED (
            SELECT account.workspace_id, account.id, account.max_due, oldest.seconds FROM (${this.readyAccounts}) account CROSS
              JOIN LATERAL (
              SELECT extract(epoch FROM ${this.now} - greatest(message.next_attempt_at, account.blocked_until))::float8 AS seconds
              FROM queued_messages message WHERE ${this.isDue}
              ORDER BY message.next_attempt_at, message.id LIMIT 1) oldest
          ), sending AS (
            SELECT DISTINCT message.workspace_id, message.email_account_id FROM message_claims claim
            CROSS JOIN unnest(claim.message_ids) AS listed (id)
            JOIN queued_messages message ON message.workspace_id = claim.workspace_id AND message.id = listed.id
            WHERE message.lease_until > ${sql.realNow}
          )
          SELECT
            (SELECT count(*) FROM (
              SELECT 1 FROM ${this.waitingAccounts} account CROSS JOIN LATERAL (
                SELECT 1 FROM queued_messages message WHERE ${this.isDue} LIMIT account.max_due) due
              LIMIT ${MAX_COUNTED + 1}) counted) AS count,
            coalesce((SELECT max(seconds) FROM waiting), 0) AS oldest_seconds,
            coalesce((SELECT jsonb_agg(untouched) FROM (${this.untouchedAccounts}) untouched), '[]') AS untouched`,
    );
    return due ?? { count: 0, oldest_seconds: 0, untouched: [] };
  }

  /** The accounts that no rule blocks. Of those that send one by one, one message is due since that rule allows it. */
  private get readyAccounts(): Sql {
    return sql`SELECT queue.*, ${blockedUntil} AS blocked_until,
        CASE WHEN ${isOneByOne} THEN 1 ELSE ${MAX_COUNTED + 1} END AS max_due
      FROM ${QUEUE}
      JOIN email_accounts account ON account.workspace_id = queue.workspace_id AND account.id = queue.id
      WHERE NOT ${isBlocked(this.now)}`;
  }

  /** Those of `waiting`. Nodes read them again, because each knows its own only. */
  private get waitingAccounts(): Sql {
    return sql.byEngine(sql`waiting`, sql`(${this.readyAccounts})`);
  }

  /** A worker that is sending messages of an account has leased some, however long its server takes. */
  private get untouchedAccounts(): Sql {
    const seconds = sql`make_interval(secs => ${MAX_UNTOUCHED_SECONDS})`;
    return sql`SELECT waiting.workspace_id, waiting.id FROM waiting
      JOIN email_accounts account ON account.workspace_id = waiting.workspace_id AND account.id = waiting.id
      WHERE waiting.seconds >= ${MAX_UNTOUCHED_SECONDS}
        AND coalesce(account.last_used_at <= ${this.now} - ${seconds}, TRUE)
        AND NOT EXISTS (
          SELECT 1 FROM sending
          WHERE sending.workspace_id = waiting.workspace_id AND sending.email_account_id = waiting.id)
      ORDER BY waiting.workspace_id, waiting.id LIMIT ${MAX_UNTOUCHED}`;
  }

  /** The condition that `message` of `account` can be claimed now. */
  private get isDue(): Sql {
    return sql`message.workspace_id = account.workspace_id AND message.email_account_id = account.id
      AND message.status = 'queued' AND message.lease_until IS NULL AND message.next_attempt_at <= ${this.now}`;
  }

  private get now(): Sql {
    return this.database.nowOf(sql`account.workspace_id`);
  }

  /** What the planner expects, from the statistics of each shard: costs the same for any number. */
  private async estimate(): Promise<number> {
    const rows = await this.database.query<ExplainedRow>(
      sql.byEngine(
        explainDue(sql`queued_messages`),
        sql`SELECT result::json AS "QUERY PLAN"
            FROM run_command_on_shards('queued_messages', ${explainDue(sql`%s`).toQuery().text})`,
      ),
    );
    return rows.reduce((sum, row) => sum + row['QUERY PLAN'][0].Plan['Plan Rows'], 0);
  }
}

const explainDue = (queue: Sql): Sql => sql`EXPLAIN (FORMAT JSON) SELECT 1 FROM ${queue}
  WHERE status = 'queued' AND lease_until IS NULL AND next_attempt_at <= ${sql.realNow}`;
