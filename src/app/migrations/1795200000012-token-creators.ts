import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A token is deleted together with the token that created it. */
export class TokenCreators1795200000012 implements MigrationInterface {
  name = 'TokenCreators1795200000012';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE api_tokens ADD created_by bigint');
    await queryRunner.query(
      `ALTER TABLE api_tokens ADD CONSTRAINT "FK_5d340e69ef673b7e8ea2369cbbc"
       FOREIGN KEY (workspace_id, created_by) REFERENCES api_tokens (workspace_id, id) ON DELETE CASCADE`,
    );
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
