import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Workspaces get a brand: the template variables `brand.name`, `brand.logo`, `brand.color` and those derived from it. */
export class Brands1795200000034 implements MigrationInterface {
  name = 'Brands1795200000034';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE workspaces ADD brand_name text, ADD brand_color text, ADD logo_url text');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
