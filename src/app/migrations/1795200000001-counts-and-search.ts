import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What entities cannot describe: trigram search, kept counts, an unlogged table and storage settings. */
export class CountsAndSearch1795200000001 implements MigrationInterface {
  name = 'CountsAndSearch1795200000001';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}

/** Adds the rows of one statement to the kept counts; `TG_ARGV[0]` names the owner's column, if there is one. */
const KEEP_COUNTS = `
  CREATE FUNCTION keep_counts() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    EXECUTE format(
      'INSERT INTO record_counts AS kept (workspace_id, counted, owner_id, shard, total)
       SELECT workspace_id, %L, %s, pg_backend_pid() %% 8, %s count(*) FROM changed GROUP BY 1, 3 ORDER BY 1, 3
       ON CONFLICT (workspace_id, counted, owner_id, shard) DO UPDATE SET total = kept.total + excluded.total',
      TG_TABLE_NAME,
      CASE WHEN TG_NARGS = 0 THEN '0' ELSE quote_ident(TG_ARGV[0]) END,
      CASE TG_OP WHEN 'DELETE' THEN '-' ELSE '' END);
    RETURN NULL;
  END $$`;

const keepCounts = (table: string, owner = ''): string[] => [
  `CREATE TRIGGER keep_counts_of_new AFTER INSERT ON ${table}
   REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION keep_counts(${owner})`,
  `CREATE TRIGGER keep_counts_of_old AFTER DELETE ON ${table}
   REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION keep_counts(${owner})`,
];

const UP = [
  'CREATE EXTENSION IF NOT EXISTS pg_trgm',
  'CREATE INDEX contacts_search ON contacts USING gin (search_text gin_trgm_ops)',
  KEEP_COUNTS,
  ...keepCounts('contacts'),
  ...keepCounts('list_members', `'list_id'`),
  ...keepCounts('tag_members', `'tag_id'`),
  ...keepCounts('enrollments', `'campaign_id'`),
  // A crash of the database forgives a minute of quota; in return no request waits for the disk.
  'ALTER TABLE quota_counters SET UNLOGGED',
  // Rows that are written again and again: leave room on the page, and clean up early.
  'ALTER TABLE record_counts SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.01)',
  'ALTER TABLE messages SET (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02)',
  'ALTER TABLE enrollments SET (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05)',
  'ALTER TABLE email_accounts SET (fillfactor = 50)',
];
