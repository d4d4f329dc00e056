import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Messages and enrollments are found by the time of their last change, with indexes that cost next to nothing to maintain. */
export class ChangeTimes1795200000068 implements MigrationInterface {
  name = 'ChangeTimes1795200000068';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const table of ['messages', 'enrollments']) {
      await queryRunner.query(
        `CREATE INDEX ${table}_by_update ON ${table} USING brin (updated_at) WITH (pages_per_range = 32, autosummarize = on)`,
      );
    }
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
