import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When a worker has last put the clock of a sandbox forward: checks of health find clocks that wait for one. */
export class TouchedClocks1795200000101 implements MigrationInterface {
  name = 'TouchedClocks1795200000101';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE sandbox_clocks ADD touched_at timestamptz(3) NOT NULL DEFAULT now()');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
