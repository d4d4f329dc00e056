import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A workspace whose deletion has begun is closed: its tokens, campaigns and webhooks have ended. */
export class WorkspaceDeletion1795200000015 implements MigrationInterface {
  name = 'WorkspaceDeletion1795200000015';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE workspaces ADD deletion_started_at timestamptz(3)');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
