import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The last search of an erasure waits for transactions by their IDs, which every role sees. */
export class ErasureHorizons1795200000083 implements MigrationInterface {
  name = 'ErasureHorizons1795200000083';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE erasures ADD horizon bigint');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
