import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The checks of sender domains are stored for an hour, and workspaces get a domain for their links. */
export class Domains1795200000055 implements MigrationInterface {
  name = 'Domains1795200000055';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE domain_checks (
      workspace_id bigint NOT NULL, email_account_id bigint NOT NULL, subject text NOT NULL, checks jsonb NOT NULL,
      checked_at timestamptz(3) NOT NULL, expires_at timestamptz(3) NOT NULL,
      CONSTRAINT "PK_215884a1d62a4a6ab7ff0535969" PRIMARY KEY (workspace_id, email_account_id),
      CONSTRAINT "FK_215884a1d62a4a6ab7ff0535969" FOREIGN KEY (workspace_id, email_account_id)
        REFERENCES email_accounts (workspace_id, id) ON DELETE CASCADE
    )`);
    await queryRunner.query(`ALTER TABLE workspaces ADD tracking_domain text,
      ADD tracking_domain_verified_at timestamptz(3), ADD tracking_domain_checked_at timestamptz(3)`);
    await queryRunner.query(`CREATE INDEX workspaces_tracking_domain_due ON workspaces (tracking_domain_checked_at)
      WHERE tracking_domain IS NOT NULL`);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
