import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The clocks of sandbox workspaces that were put forward. */
export class SandboxClocks1795200000073 implements MigrationInterface {
  name = 'SandboxClocks1795200000073';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}

const STATEMENTS = [
  `CREATE TABLE sandbox_clocks (
     workspace_id bigint NOT NULL,
     id bigint NOT NULL,
     ahead_ms bigint NOT NULL DEFAULT 0,
     target timestamptz(3),
     leased_by uuid,
     lease_until timestamptz(3),
     CONSTRAINT sandbox_clocks_pk PRIMARY KEY (workspace_id, id),
     CONSTRAINT sandbox_clock_once CHECK (id = workspace_id),
     CONSTRAINT sandbox_clock_ahead CHECK (ahead_ms >= 0)
   )`,
];
