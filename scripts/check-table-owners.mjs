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
import { accessesIn, entitiesIn, withoutComments } from './table-accesses.mjs';

const moduleOf = (file) => (file.startsWith('platform/') ? 'platform' : file.split('/')[0]);
const isChecked = (file) => file.endsWith('.ts') && !/\.spec\.ts$|^(app|extension)\/|^\w+\.ts$/.test(file);

const files = readdirSync('src', { recursive: true })
  .filter(isChecked)
  .map((file) => ({ module: moduleOf(file), file, code: withoutComments(readFileSync(join('src', file), 'utf8')) }));

/** The tables of packages belong to the platform. */
const ofPackages = readdirSync('packages', { recursive: true })
  .filter((file) => /^[^/]+\/src\/.*\.entity\.ts$/.test(file))
  .map((file) => ({ module: 'platform', code: withoutComments(readFileSync(join('packages', file), 'utf8')) }));

const owners = new Map();
const tableOfEntity = new Map();
for (const { module, code } of [...files, ...ofPackages]) {
  for (const [entity, table] of entitiesIn(code)) {
    owners.set(table, module);
    tableOfEntity.set(entity, table);
  }
}

const found = { writes: new Map(), reads: new Map() };
for (const { module, file, code } of files) {
  for (const [table, kind] of accessesIn(code, tableOfEntity)) {
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
