import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When an enrollment has failed, or its contact has unsubscribed: the activity of the contact shows it. */
export class EnrollmentEnds1795200000082 implements MigrationInterface {
  name = 'EnrollmentEnds1795200000082';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE enrollments ADD stopped_at timestamptz(3)');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
