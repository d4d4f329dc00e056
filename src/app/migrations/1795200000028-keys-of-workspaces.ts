import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A stored response names its workspace, so that it is stored where the work of its request is. */
export class KeysOfWorkspaces1795200000028 implements MigrationInterface {
  name = 'KeysOfWorkspaces1795200000028';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE idempotency_keys ADD workspace_id bigint');
    await queryRunner.query(
      `UPDATE idempotency_keys stored SET workspace_id = token.workspace_id FROM api_tokens token
       WHERE token.id = stored.token_id`,
    );
    // The token was deleted, so that the response cannot be asked for.
    await queryRunner.query('DELETE FROM idempotency_keys WHERE workspace_id IS NULL');
    await queryRunner.query(
      `ALTER TABLE idempotency_keys DROP CONSTRAINT idempotency_keys_pk,
       ADD CONSTRAINT idempotency_keys_pk PRIMARY KEY (workspace_id, token_id, path, key)`,
    );
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
