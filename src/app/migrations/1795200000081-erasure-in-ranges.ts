import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Erasing searches in ranges, and finds former addresses and what tests of a sandbox show of a contact. */
export class ErasureInRanges1795200000081 implements MigrationInterface {
  name = 'ErasureInRanges1795200000081';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}

const STATEMENTS = [
  `CREATE TABLE former_emails (
     workspace_id bigint NOT NULL, contact_id bigint NOT NULL, email text NOT NULL, replaced_at timestamptz(3) NOT NULL DEFAULT now(),
     CONSTRAINT "PK_former_emails" PRIMARY KEY (workspace_id, contact_id, email),
     CONSTRAINT "FK_5266703a73196891d0f5d21caa1" FOREIGN KEY (workspace_id, contact_id)
       REFERENCES contacts (workspace_id, id) ON DELETE CASCADE
   )`,
  'ALTER TABLE erasures ADD search_cursor jsonb, ADD requested_at timestamptz(3)',
  'DROP INDEX erasures_of_contact',
  'CREATE INDEX erasures_of_contact ON erasures (workspace_id, contact_id) WHERE completed_at IS NULL',
  'ALTER TABLE sandbox_messages ADD shown_contact_id bigint',
];
