import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tables, columns, functions and triggers get the names that the code uses for them. No row changes. */
export class StandardNames1795200000008 implements MigrationInterface {
  name = 'StandardNames1795200000008';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}

const renameTrigger = (table: string, from: string, to: string): string =>
  `ALTER TRIGGER ${from} ON ${table} RENAME TO ${to}`;

const COUNTED_TABLES = ['contacts', 'list_members', 'tag_members', 'enrollments'];

const UP = [
  'ALTER TABLE chores RENAME TO scheduled_tasks',
  // Each process inserts the tasks that it knows when it starts, under their new names.
  'DELETE FROM scheduled_tasks',
  'ALTER TABLE message_hits RENAME TO tracking_events',
  'ALTER TABLE tracking_events RENAME COLUMN verdict TO classification',
  'ALTER TABLE tracking_events RENAME CONSTRAINT message_hit_kind_known TO tracking_event_kind_known',
  'ALTER TABLE tracking_events RENAME CONSTRAINT message_hit_verdict_known TO tracking_event_classification_known',
  'ALTER TABLE tracking_events RENAME CONSTRAINT "FK_968da455230f3ef9bd2a5c87f57" TO "FK_b67bcfa06b300f745e98606de85"',
  'ALTER INDEX message_hits_of_message RENAME TO tracking_events_of_message',
  'ALTER INDEX message_hits_undecided RENAME TO tracking_events_undecided',
  'ALTER TABLE quota_counters RENAME COLUMN hits TO requests',
  'ALTER TABLE email_accounts RENAME COLUMN smtp_password_sealed TO smtp_password_encrypted',
  'ALTER TABLE email_accounts RENAME COLUMN sendgrid_api_key_sealed TO sendgrid_api_key_encrypted',
  'ALTER TABLE idempotency_keys RENAME COLUMN answer TO response',
  'ALTER TABLE webhook_logs_rest RENAME TO webhook_logs_default',
  'ALTER TABLE webhook_events_rest RENAME TO webhook_events_default',
  'ALTER FUNCTION keep_counts() RENAME TO update_record_counts',
  'ALTER FUNCTION keep_ordered_values_of_new() RENAME TO insert_ordered_values',
  'ALTER FUNCTION keep_ordered_values_of_changed() RENAME TO update_ordered_values',
  ...COUNTED_TABLES.flatMap((table) => [
    renameTrigger(table, 'keep_counts_of_new', 'update_record_counts_on_insert'),
    renameTrigger(table, 'keep_counts_of_old', 'update_record_counts_on_delete'),
  ]),
  renameTrigger('contacts', 'keep_ordered_values_of_new', 'insert_ordered_values'),
  renameTrigger('contacts', 'keep_ordered_values_of_changed', 'update_ordered_values'),
];
