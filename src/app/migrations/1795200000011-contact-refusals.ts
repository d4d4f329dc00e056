import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Addresses that unsubscribed or complained are remembered when their contact is deleted or gets another address. */
export class ContactRefusals1795200000011 implements MigrationInterface {
  name = 'ContactRefusals1795200000011';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE TABLE contact_refusals (
         workspace_id bigint NOT NULL,
         hash bytea NOT NULL,
         status text NOT NULL,
         refused_at timestamptz(3) NOT NULL,
         CONSTRAINT contact_refusals_pk PRIMARY KEY (workspace_id, hash),
         CONSTRAINT contact_refusal_status_known CHECK (status IN ('unsubscribed', 'complained'))
       )`,
    );
    await queryRunner.query(
      `CREATE TABLE refusal_key (
         id integer NOT NULL,
         key_encrypted text NOT NULL,
         CONSTRAINT refusal_key_pk PRIMARY KEY (id),
         CONSTRAINT refusal_key_once CHECK (id = 1)
       )`,
    );
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
