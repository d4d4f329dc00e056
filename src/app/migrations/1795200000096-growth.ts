import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A campaign that is deleted in chunks. Tables that mostly get new rows are vacuumed after one percent of new ones instead of a
 * fifth: until then, counts read each row instead of the index, and the vacuum of a large table takes long.
 */
export class Growth1795200000096 implements MigrationInterface {
  name = 'Growth1795200000096';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE campaigns ADD deleted_at timestamptz(3)');
    await queryRunner.query(
      'CREATE INDEX campaigns_deleted ON campaigns (workspace_id, id) WHERE deleted_at IS NOT NULL',
    );
    for (const table of ['messages', 'tracking_events'])
      await queryRunner.query(`ALTER TABLE ${table} SET (autovacuum_vacuum_insert_scale_factor = 0.01)`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
