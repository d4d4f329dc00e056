import { Injectable } from '@nestjs/common';
import { JobQueue } from '@outreach/job-queue';
import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { SENDING } from '../queues.js';
import { isOneByOne } from '../rules/index.js';

export interface OwnMessage {
  readonly campaign_id: number;
  readonly enrollment_id: number;
  readonly contact_id: number;
  /** The account that sends it; no other one does. */
  readonly email_account_id: number | null;
  readonly reply_id: number;
  readonly to_address: string;
  readonly subject: string;
  /** HTML, sent as it is. */
  readonly body: string;
  /** The Message-IDs of the thread, oldest first. */
  readonly thread: readonly string[];
}

/**
 * When the message of `account` is due: now. If messages wait for those before them, it comes before the others that are due,
 * because a person waits for it, and they may wait for days.
 */
const firstOfDue = (scope: WorkspaceScope): Sql => sql`CASE WHEN ${isOneByOne} THEN least(${scope.now}, (
  SELECT ${sql.later(sql`waiting.next_attempt_at`, sql`interval '-1 millisecond'`)} FROM queued_messages waiting
  WHERE waiting.workspace_id = ${scope} AND waiting.email_account_id = account.id
  ORDER BY waiting.next_attempt_at, waiting.id LIMIT 1)) ELSE ${scope.now} END`;

/**
 * Queues messages whose content is not that of a step. They take the way of all messages: the limits of their account,
 * the leases, the preflight check. They depend on no campaign and no enrollment, and change none.
 */
@Injectable()
export class OwnMessages {
  constructor(private readonly jobQueue: JobQueue) {}

  /** @returns its ID; undefined if the account does not exist */
  async queue(tx: WorkspaceScope, message: OwnMessage): Promise<number | undefined> {
    const account = {
      name: 'account',
      statement: sql`SELECT account.id, ${firstOfDue(tx)} AS due_at FROM email_accounts account
        WHERE account.workspace_id = ${tx} AND account.id = ${message.email_account_id} FOR KEY SHARE`,
      columns: sql`id bigint, due_at timestamptz`,
    };
    const inserted = {
      name: 'queued',
      statement: sql`INSERT INTO queued_messages (workspace_id, campaign_id, enrollment_id, contact_id, email_account_id,
          reply_id, subject, next_attempt_at, created_at, updated_at)
        SELECT ${tx}, ${message.campaign_id}, ${message.enrollment_id}, ${message.contact_id}, account.id,
          ${message.reply_id}, ${message.subject}, account.due_at, ${tx.now}, ${tx.now} FROM account
        RETURNING id`,
      columns: sql`id bigint`,
    };
    const [queued] = await tx.inParts<{ message_id: number }>(
      [account, inserted],
      sql`INSERT INTO message_contents (workspace_id, message_id, enrollment_id, to_address, subject, body, thread)
          SELECT ${tx}, queued.id, ${message.enrollment_id}, ${message.to_address}, ${message.subject}, ${message.body},
            ${[...message.thread]}::text[] FROM queued
          RETURNING message_id`,
    );
    if (!queued || message.email_account_id === null) return undefined;
    const key = { workspace_id: tx.workspace_id, id: message.email_account_id };
    tx.afterCommit(() => this.jobQueue.enqueue(SENDING, [key]));
    return queued.message_id;
  }
}
