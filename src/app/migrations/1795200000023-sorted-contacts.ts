import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The fields that lists of contacts are sorted by, in lower case. */
const SORTED = ['first_name', 'last_name', 'job_title'];

/** The indexes on names and job titles get the order of lists: that of the code points of the lower case. */
export class SortedContacts1795200000023 implements MigrationInterface {
  name = 'SortedContacts1795200000023';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const column of SORTED) {
      await queryRunner.query(`DROP INDEX contacts_by_${column}`);
      await queryRunner.query(
        `CREATE INDEX contacts_by_${column} ON contacts (workspace_id, (lower(${column}) COLLATE "C"))`,
      );
    }
    // Expressions have statistics only after ANALYZE; without them PostgreSQL reads all contacts.
    await queryRunner.query('ANALYZE contacts');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
