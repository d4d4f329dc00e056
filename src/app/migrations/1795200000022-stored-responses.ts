import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A response is stored together with the work. Keys that were reserved before it, by a process that ended, are free. */
export class StoredResponses1795200000022 implements MigrationInterface {
  name = 'StoredResponses1795200000022';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DELETE FROM idempotency_keys WHERE status IS NULL');
    await queryRunner.query('ALTER TABLE idempotency_keys ALTER status SET NOT NULL');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
