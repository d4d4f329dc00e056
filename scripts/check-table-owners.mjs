#!/usr/bin/env node
/**
 * Checks who reads and writes which table (ADR 91). The module with the entity of a table owns it, and writes it alone. A
 * module reads the tables of the modules that it may import, those of the platform, and `workspaces`, which every table
 * refers to. What else occurs is declared in table-access.mjs, with its reason.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { downwards } from '../.dependency-cruiser.mjs';
import { READS, WRITES } from './table-access.mjs';

const WRITE =
  /\b(?:INSERT INTO|MERGE INTO|DELETE FROM|TRUNCATE(?: TABLE)?|(?<!FOR (?:NO KEY )?)(?<!DO )UPDATE)\s+(?:ONLY )?(\w+)/g;
const READ = /\b(?:FROM|JOIN|USING)\s+(?:LATERAL )?(?:\$\{\w+\.crossTenant\}\s+)?(\w+)/g;
const ENTITY = /@Entity\(\s*(?:\{[^}]*?name:\s*)?'(\w+)'[\s\S]*?\bexport class (\w+)/g;
const REPOSITORY = /\.of\((\w+)\)\s*\.(\w+)/g;
const REPOSITORY_READS = /^(find|get|list|count|iterate|exists|has|withColumns|page|select)/;

const moduleOf = (file) => (file.startsWith('platform/') ? 'platform' : file.split('/')[0]);
const isChecked = (file) => file.endsWith('.ts') && !/\.spec\.ts$|^(app|extension)\/|^\w+\.ts$/.test(file);

const files = readdirSync('src', { recursive: true })
  .filter(isChecked)
  .map((file) => ({ module: moduleOf(file), file, code: withoutComments(readFileSync(join('src', file), 'utf8')) }));

const owners = new Map();
const tableOfEntity = new Map();
for (const { module, code } of files) {
  for (const [, table, entity] of code.matchAll(ENTITY)) {
    owners.set(table, module);
    tableOfEntity.set(entity, table);
  }
}

const found = { writes: new Map(), reads: new Map() };
for (const { module, file, code } of files) {
  for (const [table, kind] of accesses(code)) {
    const owner = owners.get(table);
    if (owner === undefined || owner === module || (kind === 'reads' && mayRead(module, owner, table))) continue;
    const key = `${module} → ${table}`;
    found[kind].set(key, [...(found[kind].get(key) ?? []), file]);
  }
}

const errors = [...compare('writes', WRITES), ...compare('reads', READS)];
for (const error of errors) console.error(error);
if (errors.length > 0) process.exit(1);
console.log(`${owners.size} tables, ${WRITES.size} foreign writes and ${READS.size} foreign reads, all declared.`);

function withoutComments(code) {
  return code.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
}

function* accesses(code) {
  for (const [, table] of code.matchAll(WRITE)) yield [table, 'writes'];
  for (const [, table] of code.replace(/DELETE FROM/g, 'DELETE').matchAll(READ)) yield [table, 'reads'];
  for (const [, entity, method] of code.matchAll(REPOSITORY)) {
    const table = tableOfEntity.get(entity);
    if (table) yield [table, REPOSITORY_READS.test(method) ? 'reads' : 'writes'];
  }
}

function mayRead(module, owner, table) {
  return owner === 'platform' || (table === 'workspaces' && module !== 'platform') || below(module).has(owner);
}

/** The modules that a module may import, and those that these may import. */
function below(module, seen = new Set()) {
  for (const lower of downwards[module] ?? []) {
    if (seen.has(lower)) continue;
    seen.add(lower);
    below(lower, seen);
  }
  return seen;
}

function compare(kind, declared) {
  const undeclared = [...found[kind]].filter(([key]) => !declared.has(key));
  const unused = [...declared.keys()].filter((key) => !found[kind].has(key));
  return [
    ...undeclared.map(([key, where]) => `Undeclared (${kind}): ${key} in ${[...new Set(where)].join(', ')}`),
    ...unused.map((key) => `Declared but absent (${kind}): ${key}`),
  ];
}
