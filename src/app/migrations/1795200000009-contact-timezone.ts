import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Contacts get a time zone. */
export class ContactTimezone1795200000009 implements MigrationInterface {
  name = 'ContactTimezone1795200000009';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE contacts ADD timezone text');
    await queryRunner.query(
      'CREATE INDEX contacts_by_timezone ON contacts (workspace_id, timezone) WHERE timezone IS NOT NULL',
    );
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
