import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A request that cannot be rolled back reserves its `Idempotency-Key` for all processes. */
export class IdempotencyReservations1795200000076 implements MigrationInterface {
  name = 'IdempotencyReservations1795200000076';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE idempotency_keys ADD COLUMN reserved_until timestamptz(3)');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
