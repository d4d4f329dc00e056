import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Steps that wait for the window in the time zone of their contact. */
export class ContactTimeZones1795200000045 implements MigrationInterface {
  name = 'ContactTimeZones1795200000045';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE due_steps ADD postponed_until timestamptz(3)');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
