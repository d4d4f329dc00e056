import { readFileSync } from 'node:fs';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A file for each module with its tables, between what tables call and what needs them all. */
const FILES = [
  'functions',
  'workspaces',
  'contacts',
  'segments',
  'templates',
  'marketplace',
  'email-accounts',
  'campaigns',
  'sending',
  'replies',
  'tracking',
  'inbound',
  'blacklist',
  'personal-data',
  'sandbox',
  'webhooks',
  'platform',
  'views',
  'foreign-keys',
  'triggers',
];

/** TypeORM compares generated columns by the expressions that it has stored. */
const GENERATED_COLUMN = `INSERT INTO typeorm_metadata (database, schema, "table", type, name, value)
  VALUES (current_database(), current_schema(), 'contacts', 'GENERATED_COLUMN', 'search_text', $1)`;
const SEARCH_TEXT =
  "lower(email || E'\\n' || coalesce(first_name, '') || E'\\n' || coalesce(last_name, '') || E'\\n' || coalesce(company, ''))";

/** The schema of the first release (ADR 92). */
export class InitialSchema1795300000000 implements MigrationInterface {
  name = 'InitialSchema1795300000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('CREATE EXTENSION IF NOT EXISTS pg_trgm');
    for (const file of FILES)
      await queryRunner.query(readFileSync(new URL(`./initial-schema/${file}.sql`, import.meta.url), 'utf8'));
    await queryRunner.query(GENERATED_COLUMN, [SEARCH_TEXT]);
  }

  async down(): Promise<void> {
    throw new Error('Migrations only go forward.');
  }
}
