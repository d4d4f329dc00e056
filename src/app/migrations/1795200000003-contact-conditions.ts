import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What entities cannot describe: triggers that keep counts and ordered values, and indexes for conditions of segments. */
export class ContactConditions1795200000003 implements MigrationInterface {
  name = 'ContactConditions1795200000003';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}

/** Adds the rows of one statement to the kept counts; `TG_ARGV[0]` names the owner's column, if there is one. */
const KEEP_COUNTS = `
  CREATE OR REPLACE FUNCTION keep_counts() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    EXECUTE format(
      'INSERT INTO record_counts (workspace_id, counted, owner_id, total)
       SELECT workspace_id, %L, %s, %s count(*) FROM changed GROUP BY 1, 3',
      TG_TABLE_NAME,
      CASE WHEN TG_NARGS = 0 THEN '0' ELSE quote_ident(TG_ARGV[0]) END,
      CASE TG_OP WHEN 'DELETE' THEN '-' ELSE '' END);
    RETURN NULL;
  END $$`;

/** Counts the statements that change contacts, or what they are members of. */
const COUNT_CHANGES = `
  CREATE FUNCTION count_contact_changes() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO record_counts (workspace_id, counted, owner_id, total)
    SELECT DISTINCT workspace_id, 'contact_changes', 0, 1 FROM changed;
    RETURN NULL;
  END $$`;

const countChanges = (table: string, operation: 'INSERT' | 'UPDATE' | 'DELETE'): string =>
  `CREATE TRIGGER count_changes_by_${operation.toLowerCase()} AFTER ${operation} ON ${table}
   REFERENCING ${operation === 'DELETE' ? 'OLD' : 'NEW'} TABLE AS changed
   FOR EACH STATEMENT EXECUTE FUNCTION count_contact_changes()`;

/** A day begins at midnight UTC; an instant counts to the millisecond. */
const VALUE_OF_DATE = `
  CREATE FUNCTION ordered_date(written text) RETURNS double precision LANGUAGE sql STABLE STRICT AS $$
    SELECT floor(extract(epoch FROM
      (regexp_replace(written, '(\\.\\d{3})\\d+', '\\1') || CASE length(written) WHEN 10 THEN 'T00:00:00Z' ELSE '' END)
        ::timestamptz) * 1000)::double precision
  $$`;

const orderedValuesOf = (contacts: string): string => `
  INSERT INTO ordered_values (workspace_id, contact_id, custom_field_id, value)
  SELECT contact.workspace_id, contact.id, field.id,
    CASE field.type
      WHEN 'number' THEN (contact.custom_fields ->> field.key)::double precision
      ELSE ordered_date(contact.custom_fields ->> field.key) END
  FROM ${contacts} contact
  JOIN custom_fields field ON field.workspace_id = contact.workspace_id
    AND field.type IN ('number', 'date') AND contact.custom_fields ? field.key`;

const KEEP_VALUES_OF_NEW = `
  CREATE FUNCTION keep_ordered_values_of_new() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    EXECUTE $sql$ ${orderedValuesOf('changed')} $sql$;
    RETURN NULL;
  END $$`;

/** Those of one statement's contacts whose custom fields it changed. */
const REWRITTEN = `
  (SELECT changed.* FROM before
   JOIN changed ON changed.workspace_id = before.workspace_id AND changed.id = before.id
   WHERE changed.custom_fields <> before.custom_fields)`;

/** Planned anew each time: a plan for one row would take hours for an import. */
const KEEP_VALUES_OF_CHANGED = `
  CREATE FUNCTION keep_ordered_values_of_changed() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE rewritten bigint;
  BEGIN
    EXECUTE $sql$ SELECT count(*) FROM ${REWRITTEN} contact $sql$ INTO rewritten;
    IF rewritten = 0 THEN RETURN NULL; END IF;
    EXECUTE $sql$ DELETE FROM ordered_values own USING ${REWRITTEN} contact
      WHERE own.workspace_id = contact.workspace_id AND own.contact_id = contact.id $sql$;
    EXECUTE $sql$ ${orderedValuesOf(REWRITTEN)} $sql$;
    RETURN NULL;
  END $$`;

const without = (column: string): string =>
  `CREATE INDEX contacts_without_${column} ON contacts (workspace_id, created_at, id)
   WHERE coalesce(${column}, '') = ''`;

const UP = [
  KEEP_COUNTS,
  'ALTER TABLE record_counts RESET (fillfactor)',
  'ALTER TABLE record_counts SET (autovacuum_vacuum_scale_factor = 0.01)',
  COUNT_CHANGES,
  countChanges('contacts', 'INSERT'),
  countChanges('contacts', 'UPDATE'),
  countChanges('contacts', 'DELETE'),
  countChanges('list_members', 'INSERT'),
  countChanges('list_members', 'DELETE'),
  countChanges('tag_members', 'INSERT'),
  countChanges('tag_members', 'DELETE'),
  VALUE_OF_DATE,
  KEEP_VALUES_OF_NEW,
  KEEP_VALUES_OF_CHANGED,
  `CREATE TRIGGER keep_ordered_values_of_new AFTER INSERT ON contacts
   REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION keep_ordered_values_of_new()`,
  `CREATE TRIGGER keep_ordered_values_of_changed AFTER UPDATE ON contacts
   REFERENCING OLD TABLE AS before NEW TABLE AS changed
   FOR EACH STATEMENT EXECUTE FUNCTION keep_ordered_values_of_changed()`,
  orderedValuesOf('contacts'),
  `CREATE INDEX contacts_profile ON contacts
   USING gin (lower(job_title) gin_trgm_ops, lower(phone) gin_trgm_ops, lower(custom_fields::text) gin_trgm_ops)`,
  'CREATE INDEX contacts_custom_values ON contacts USING gin (custom_fields jsonb_path_ops)',
  without('company'),
  without('phone'),
  without('job_title'),
  without('linkedin_url'),
];
