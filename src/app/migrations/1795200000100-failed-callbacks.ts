import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Events of providers that cannot be recorded are tried again for a time, which counts from when they were stored. */
export class FailedCallbacks1795200000100 implements MigrationInterface {
  name = 'FailedCallbacks1795200000100';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE provider_callbacks ADD created_at timestamptz(3) NOT NULL DEFAULT now()');
    // What has failed is stored for days, and the due ones are looked for every second.
    await queryRunner.query(
      'CREATE INDEX provider_callbacks_due ON provider_callbacks (workspace_id, next_attempt_at)',
    );
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
