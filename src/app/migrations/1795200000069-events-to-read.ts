import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Events are stored to be read, whether or not a webhook receives them. */
export class EventsToRead1795200000069 implements MigrationInterface {
  name = 'EventsToRead1795200000069';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}

const STATEMENTS = [
  `CREATE TABLE event_batches (
     workspace_id bigint NOT NULL, id bigserial NOT NULL, created_at timestamptz(3) NOT NULL DEFAULT now(),
     event text NOT NULL, size smallint NOT NULL, data text NOT NULL, first_id bigint,
     CONSTRAINT "PK_1b8d513481ef2baf10fe8e6b06a" PRIMARY KEY (workspace_id, id, created_at)
   ) PARTITION BY RANGE (created_at)`,
  // LZ4 takes a fraction of the time of the default compression, which would double that of an import. Not every PostgreSQL
  // has it; without it, nothing is compressed. Partitions inherit it.
  `DO $$ BEGIN
     ALTER TABLE event_batches ALTER data SET COMPRESSION lz4;
   EXCEPTION WHEN feature_not_supported THEN
     ALTER TABLE event_batches ALTER data SET STORAGE EXTERNAL;
   END $$`,
  'CREATE TABLE event_batches_default PARTITION OF event_batches DEFAULT',
  'CREATE INDEX event_batches_new ON event_batches (workspace_id, id) WHERE first_id IS NULL',
  'CREATE INDEX event_batches_in_order ON event_batches (workspace_id, first_id) WHERE first_id IS NOT NULL',
  'CREATE INDEX event_batches_by_event ON event_batches (workspace_id, event, first_id) WHERE first_id IS NOT NULL',
  `CREATE TABLE event_feeds (
     workspace_id bigint NOT NULL, last_id bigint NOT NULL DEFAULT 0,
     CONSTRAINT "PK_e0bf535cf09ca372e5c52d5cb07" PRIMARY KEY (workspace_id)
   )`,
];
