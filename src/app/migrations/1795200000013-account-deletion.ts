import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Campaigns know that they lost their email accounts, and why they paused. Workspaces can change their inbound key. */
export class AccountDeletion1795200000013 implements MigrationInterface {
  name = 'AccountDeletion1795200000013';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE campaigns ADD pause_reason text');
    await queryRunner.query('ALTER TABLE campaigns ADD needs_account boolean NOT NULL DEFAULT false');
    await queryRunner.query(
      `ALTER TABLE campaigns ADD CONSTRAINT campaign_pause_reason_known CHECK (pause_reason IN ('account_deleted'))`,
    );
    await queryRunner.query('ALTER TABLE workspaces ADD inbound_key_version integer NOT NULL DEFAULT 0');
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
