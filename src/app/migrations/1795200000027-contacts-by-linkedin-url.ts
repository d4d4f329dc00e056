import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lists of contacts that are sorted by the LinkedIn address have an index for their order, as those by name have. */
export class ContactsByLinkedinUrl1795200000027 implements MigrationInterface {
  name = 'ContactsByLinkedinUrl1795200000027';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'CREATE INDEX contacts_by_linkedin_url ON contacts (workspace_id, (lower(linkedin_url) COLLATE "C"))',
    );
    // Expressions have statistics only after ANALYZE; without them PostgreSQL reads all contacts.
    await queryRunner.query('ANALYZE contacts');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
