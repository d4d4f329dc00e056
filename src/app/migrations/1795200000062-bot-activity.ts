import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Messages know how many of their opens and clicks were made by bots. */
export class BotActivity1795200000062 implements MigrationInterface {
  name = 'BotActivity1795200000062';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}

const COLUMNS = `workspace_id, id, created_at, updated_at, campaign_id, enrollment_id, contact_id, step_id, email_account_id,
  status, subject, message_id, attempts, uncertain_attempts, reason, reserved_on, sent_at, delivered_at, opened_at, clicked_at,
  replied_at`;

const ADDED = 'reply_id, variant_id, bot_opens, bot_clicks, bot_reason';

const addTo = (table: string): string =>
  `ALTER TABLE ${table} ADD bot_opens smallint NOT NULL DEFAULT 0, ADD bot_clicks smallint NOT NULL DEFAULT 0,
     ADD bot_reason text`;

/** What was recorded before, so that the counts of messages agree with the activity of contacts. */
const addRecorded = (table: string): string =>
  `UPDATE ${table} message SET bot_opens = recorded.opens, bot_clicks = recorded.clicks, bot_reason = recorded.reason
   FROM (
     SELECT workspace_id, message_id, least(count(*) FILTER (WHERE kind = 'open'), 32767) AS opens,
       least(count(*) FILTER (WHERE kind = 'click'), 32767) AS clicks,
       (array_agg(classification ORDER BY created_at DESC, id DESC))[1] AS reason
     FROM tracking_events WHERE classification NOT IN ('undecided', 'counted') GROUP BY workspace_id, message_id
   ) recorded
   WHERE message.workspace_id = recorded.workspace_id AND message.id = recorded.message_id`;

const STATEMENTS = [
  addTo('queued_messages'),
  addTo('messages'),
  `CREATE OR REPLACE VIEW all_messages AS
     SELECT ${COLUMNS}, NULL::timestamptz(3) AS bounced_at, NULL::timestamptz(3) AS complained_at, unsubscribed_at, ${ADDED}
     FROM queued_messages
     UNION ALL SELECT ${COLUMNS}, bounced_at, complained_at, unsubscribed_at, ${ADDED} FROM messages`,
  addRecorded('queued_messages'),
  addRecorded('messages'),
];
