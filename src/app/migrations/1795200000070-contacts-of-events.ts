import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Events to read know the contacts that they tell of, so that they can be redacted. */
export class ContactsOfEvents1795200000070 implements MigrationInterface {
  name = 'ContactsOfEvents1795200000070';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE event_batches ADD contact_ids bigint[] NOT NULL DEFAULT '{}'`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
