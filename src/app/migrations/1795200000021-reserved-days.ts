import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Messages know for which day they are reserved in the daily limit of their account. */
export class ReservedDays1795200000021 implements MigrationInterface {
  name = 'ReservedDays1795200000021';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE messages ADD reserved_on date');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
