import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Contacts have the ID of another system, which is unique in the workspace. */
export class ExternalIds1795200000066 implements MigrationInterface {
  name = 'ExternalIds1795200000066';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}

const STATEMENTS = [
  'ALTER TABLE contacts ADD external_id text',
  `CREATE UNIQUE INDEX contact_external_id_taken ON contacts (workspace_id, external_id)
     WHERE external_id IS NOT NULL`,
];
