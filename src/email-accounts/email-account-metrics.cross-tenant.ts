import { Injectable } from '@nestjs/common';
import { Sampled } from '@outreach/metrics';
import { SAMPLE_LIMITS } from '@outreach/database';
import { Database, sql } from '../platform/database/index.js';
import { effectiveLimitOf } from './daily-count.js';
import { accounts, mailboxes } from './metrics.js';

const SECONDS = 60;

interface MailboxStates {
  readonly read: number;
  readonly failing: number;
  readonly incomplete: number;
}

interface AccountStates {
  readonly active: number;
  readonly limit_reached: number;
  readonly inactive: number;
}

/** Samples the email accounts of all workspaces. */
@Injectable()
export class EmailAccountMetrics {
  private readonly database: Database;

  constructor(database: Database) {
    this.database = database.withTimeLimits(SAMPLE_LIMITS);
  }

  @Sampled({ name: 'email_accounts', gauges: [accounts], seconds: SECONDS })
  async countStates(): Promise<void> {
    const today = sql`(${this.database.nowOf(sql`workspace_id`)} AT TIME ZONE 'UTC')::date`;
    const isAtLimit = sql`counted_on >= ${today} AND sent_count >= ${effectiveLimitOf('account', today)}`;
    const [states] = await this.database.query<AccountStates & { active: number }>(
      sql`SELECT count(*) FILTER (WHERE is_active AND (${isAtLimit}) IS NOT TRUE) AS active,
            count(*) FILTER (WHERE is_active AND ${isAtLimit}) AS limit_reached,
            count(*) FILTER (WHERE NOT is_active) AS inactive
          FROM email_accounts account`,
    );
    for (const [state, count] of Object.entries(states ?? {})) accounts.set({ state }, Number(count));
  }

  @Sampled({ name: 'mailboxes', gauges: [mailboxes], seconds: SECONDS })
  async countMailboxes(): Promise<void> {
    const [states] = await this.database.query<MailboxStates & { read: number }>(
      sql`SELECT count(*) FILTER (WHERE failures = 0 AND NOT is_incomplete) AS read,
            count(*) FILTER (WHERE failures > 0) AS failing, count(*) FILTER (WHERE failures = 0 AND is_incomplete) AS incomplete
          FROM (SELECT reading.failures, EXISTS (SELECT 1 FROM failed_mails mail WHERE mail.workspace_id = reading.workspace_id
                  AND mail.email_account_id = reading.email_account_id) AS is_incomplete FROM mailbox_readings reading) mailbox`,
    );
    for (const [state, count] of Object.entries(states ?? {})) mailboxes.set({ state }, Number(count));
  }
}
