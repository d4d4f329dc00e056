import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Workspaces get a postal address, the template variable `sender_address`. */
export class PostalAddress1795200000010 implements MigrationInterface {
  name = 'PostalAddress1795200000010';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE workspaces ADD postal_address text');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
