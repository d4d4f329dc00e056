import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Accounts wait while a limit of their provider is reached. */
export class ProviderLimits1795200000043 implements MigrationInterface {
  name = 'ProviderLimits1795200000043';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'ALTER TABLE email_accounts ADD limited_until timestamptz(3), ADD limited_seconds integer NOT NULL DEFAULT 0',
    );
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
