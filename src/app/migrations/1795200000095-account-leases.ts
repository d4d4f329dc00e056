import type { MigrationInterface, QueryRunner } from 'typeorm';

/** One worker at a time sends from an account. Processes of an earlier version take no notice of it. */
export class AccountLeases1795200000095 implements MigrationInterface {
  name = 'AccountLeases1795200000095';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE email_accounts ADD leased_by uuid, ADD lease_until timestamptz(3)');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
