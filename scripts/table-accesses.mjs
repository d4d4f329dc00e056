/** Finds the accesses to tables in the text of source files: in SQL, and by repositories. */

const WRITES = String.raw`\b(?:INSERT INTO|MERGE INTO|DELETE FROM|TRUNCATE(?: TABLE)?|(?<!FOR (?:NO KEY )?)(?<!DO )UPDATE)\s+(?:ONLY )?`;
const READS = String.raw`\b(?:FROM|JOIN|USING)\s+(?:LATERAL )?(?:\$\{\w+\.crossTenant\}\s+)?`;
const ENTITY = /@Entity\(\s*(?:\{[^}]*?name:\s*)?'(\w+)'[\s\S]*?\bexport class (\w+)/g;
const REPOSITORY = /\.of\((\w+)\)\s*\.(\w+)/g;
const REPOSITORY_READS = /^(find|get|list|count|iterate|exists|has|withColumns|page|select)/;
/** A table whose name is a value: `sql.ref(table)`. */
const COMPUTED = String.raw`\$\{sql\.ref\((?!')`;
const LITERAL = /'(\w+)'/g;

/** The tables that entities of a file have: the name of the entity → the table. */
export const entitiesIn = (code) => new Map([...code.matchAll(ENTITY)].map(([, table, entity]) => [entity, table]));

export const withoutComments = (code) => code.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');

/**
 * Yields each access of a file as `[table, 'reads' | 'writes']`. If the name of a table is a value, it may be each table that
 * the file names as a text.
 * @param tableOfEntity the name of an entity → its table
 */
export function* accessesIn(code, tableOfEntity) {
  const reading = code.replace(/DELETE FROM/g, 'DELETE');
  for (const [, table] of code.matchAll(new RegExp(`${WRITES}(\\w+)`, 'g'))) yield [table, 'writes'];
  for (const [, table] of reading.matchAll(new RegExp(`${READS}(\\w+)`, 'g'))) yield [table, 'reads'];
  for (const [, entity, method] of code.matchAll(REPOSITORY)) {
    const table = tableOfEntity.get(entity);
    if (table) yield [table, REPOSITORY_READS.test(method) ? 'reads' : 'writes'];
  }
  const kinds = [
    ...(new RegExp(WRITES + COMPUTED).test(code) ? ['writes'] : []),
    ...(new RegExp(READS + COMPUTED).test(reading) ? ['reads'] : []),
  ];
  const tables = new Set(tableOfEntity.values());
  for (const [, text] of kinds.length > 0 ? code.matchAll(LITERAL) : [])
    if (tables.has(text)) for (const kind of kinds) yield [text, kind];
}
