import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Until when nothing of a campaign is sent to a contact. */
export class ContactPauses1795200000103 implements MigrationInterface {
  name = 'ContactPauses1795200000103';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE contacts ADD paused_until timestamptz(3)');
    await queryRunner.query(
      'CREATE INDEX contacts_by_pause ON contacts (workspace_id, paused_until) WHERE paused_until IS NOT NULL',
    );
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
