import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Any relay may limit an account, and the last message of a day shows whether a mailbox stores what is sent. */
export class DeferredMessages1795200000088 implements MigrationInterface {
  name = 'DeferredMessages1795200000088';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE email_accounts ADD deferred_messages bigint[] NOT NULL DEFAULT '{}'`);
    await queryRunner.query('ALTER TABLE email_account_days ADD last_message_id bigint');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
