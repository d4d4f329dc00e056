import { type Database, sql } from '../../platform/database/index.js';
import type { TenantTable } from '../../platform/tenancy/index.js';

interface FoundTable extends TenantTable {
  /** The other tables to which its foreign keys refer. */
  readonly parents: readonly string[];
}

/**
 * Reads the tables of tenants from PostgreSQL's catalogue, so that none is forgotten. Partitions are part of their table.
 * @returns the tables, each before those to which its foreign keys refer
 */
export async function findTenantTables(database: Database): Promise<TenantTable[]> {
  const tables = await database.query<FoundTable & { name: string }>(
    sql`SELECT class.relname::text AS name,
          (
            SELECT json_agg(json_build_object('name', attribute.attname,
              'type', format_type(attribute.atttypid, attribute.atttypmod)) ORDER BY part.position)
            FROM pg_index index
            CROSS JOIN unnest(index.indkey) WITH ORDINALITY AS part (number, position)
            JOIN pg_attribute attribute ON attribute.attrelid = class.oid AND attribute.attnum = part.number
            WHERE index.indrelid = class.oid AND index.indisprimary
              AND (attribute.attname <> 'workspace_id' OR index.indnkeyatts = 1)) AS key,
          ARRAY(
            SELECT DISTINCT parent.relname::text FROM pg_constraint reference
            JOIN pg_class parent ON parent.oid = reference.confrelid
            WHERE reference.conrelid = class.oid AND reference.contype = 'f' AND reference.confrelid <> class.oid) AS parents
        FROM pg_class class
        JOIN pg_attribute tenant ON tenant.attrelid = class.oid AND tenant.attname = 'workspace_id'
        WHERE class.relnamespace = current_schema()::regnamespace AND class.relkind IN ('r', 'p')
          AND NOT class.relispartition AND NOT tenant.attisdropped
        ORDER BY class.relname`,
  );
  return childrenFirst(tables).map(({ name, key }) => ({ name, key }));
}

/** @throws Error if the foreign keys form a cycle */
function childrenFirst(tables: readonly FoundTable[]): FoundTable[] {
  if (tables.length === 0) return [];
  const isParent = ({ name }: FoundTable): boolean => tables.some(({ parents }) => parents.includes(name));
  const children = tables.filter((table) => !isParent(table));
  if (children.length === 0) throw new Error('The foreign keys between the tables of tenants form a cycle.');
  return [...children, ...childrenFirst(tables.filter(isParent))];
}
