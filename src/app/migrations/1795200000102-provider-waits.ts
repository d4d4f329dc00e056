import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which messages wait because their provider could not be used, not because of an answer to them. */
export class ProviderWaits1795200000102 implements MigrationInterface {
  name = 'ProviderWaits1795200000102';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE queued_messages ADD waits_for_provider boolean NOT NULL DEFAULT FALSE');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
