import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Workspaces can be sandboxes. */
export class Sandboxes1795200000071 implements MigrationInterface {
  name = 'Sandboxes1795200000071';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}

const STATEMENTS = ['ALTER TABLE workspaces ADD COLUMN is_sandbox boolean NOT NULL DEFAULT false'];
