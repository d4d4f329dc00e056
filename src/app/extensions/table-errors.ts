import { type DataSource, getMetadataArgsStorage } from 'typeorm';
import { type Extension, prefixOf } from '../../platform/extensions/index.js';

type Queryable = Pick<DataSource, 'query'>;

/** The columns of a table, and whether its rows are deleted with their contact. */
interface StoredTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly is_deleted_with_contact: boolean;
}

/**
 * Before the first migration of an extension.
 * @returns the tables of the service, or of another module, whose names begin like those of the extension
 */
export async function tablesNamedLike(source: Queryable, extension: Extension): Promise<string[]> {
  return (await tablesOf(source, extension)).map(({ name }) => name);
}

/**
 * After the migrations of an extension.
 * @returns what of its tables does not fit to its entities, and what an erasure would leave
 */
export async function tableErrors(source: Queryable, extension: Extension): Promise<string[]> {
  const stored = new Map((await tablesOf(source, extension)).map((table) => [table.name, table]));
  const { tables, columns } = getMetadataArgsStorage();
  const missing = extension.entities.flatMap((entity) => {
    const name = tables.find(({ target }) => target === entity)?.name ?? '';
    const table = stored.get(name);
    if (!table) return [`no migration creates the table ${name}`];
    return columns
      .filter(({ target }) => typeof target === 'function' && (target === entity || entity.prototype instanceof target))
      .map(({ options, propertyName }) => options.name ?? propertyName)
      .filter((column) => !table.columns.includes(column))
      .map((column) => `no migration creates the column ${name}.${column}`);
  });
  const left = [...stored.values()]
    .filter((table) => table.columns.includes('contact_id') && !table.is_deleted_with_contact)
    .map(
      ({ name }) =>
        `${name} has contact_id, but no foreign key (workspace_id, contact_id) to contacts with ON DELETE CASCADE, ` +
        'so erasures would leave its rows',
    );
  return [...missing, ...left];
}

/** The tables and views whose names begin with that of an extension, without the list of its migrations. */
function tablesOf(source: Queryable, extension: Extension): Promise<StoredTable[]> {
  return source.query<StoredTable[]>(
    `SELECT class.relname::text AS name,
       ARRAY(SELECT attname::text FROM pg_attribute WHERE attrelid = class.oid AND attnum > 0 AND NOT attisdropped) AS columns,
       EXISTS (
         SELECT 1 FROM pg_constraint constrained
         WHERE constrained.conrelid = class.oid AND constrained.contype = 'f' AND constrained.confdeltype = 'c'
           AND constrained.confrelid = to_regclass('contacts')
           AND ARRAY(SELECT attname::text FROM pg_attribute WHERE attrelid = class.oid AND attnum = ANY(constrained.conkey)
                     ORDER BY attname) = ARRAY['contact_id', 'workspace_id']) AS is_deleted_with_contact
     FROM pg_class class
     WHERE class.relnamespace = current_schema()::regnamespace AND class.relkind IN ('r', 'p', 'v', 'm')
       AND NOT class.relispartition
       AND starts_with(class.relname, $1) AND class.relname <> $2
     ORDER BY class.relname`,
    [prefixOf(extension), migrationsTableOf(extension)],
  );
}

/** What the names of these tables end with. */
export const MIGRATIONS_TABLE = 'extension_migrations';

/** The table in which the migrations of an extension are recorded. */
export const migrationsTableOf = (extension: Extension): string => `${prefixOf(extension)}${MIGRATIONS_TABLE}`;
