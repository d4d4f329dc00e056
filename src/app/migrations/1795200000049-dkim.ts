import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Email accounts get a key with which their messages are signed. */
export class Dkim1795200000049 implements MigrationInterface {
  name = 'Dkim1795200000049';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE email_accounts
      ADD dkim_domain text, ADD dkim_selector text, ADD dkim_private_key_encrypted text,
      ADD CONSTRAINT email_account_dkim_complete
        CHECK (num_nulls(dkim_domain, dkim_selector, dkim_private_key_encrypted) IN (0, 3))`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
