import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Events of providers that cannot be recorded are kept for a time, which counts from when they were stored. */
export class FailedCallbacks1795200000100 implements MigrationInterface {
  name = 'FailedCallbacks1795200000100';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE provider_callbacks ADD created_at timestamptz(3) NOT NULL DEFAULT now()');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
