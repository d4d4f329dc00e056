import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Messages count the attempts after which it was unknown whether the server had accepted them. */
export class UncertainAttempts1795200000024 implements MigrationInterface {
  name = 'UncertainAttempts1795200000024';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE messages ADD uncertain_attempts smallint NOT NULL DEFAULT 0');
    // Those that are held already may be retried once, like those that are held from now on.
    await queryRunner.query(`UPDATE messages SET uncertain_attempts = 1 WHERE status = 'unknown'`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
