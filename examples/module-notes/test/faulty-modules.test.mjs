import { setTimeout as pause } from 'node:timers/promises';
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { MODULE, Service } from './service.mjs';

let folder;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'faulty-'));
});
after(() => rm(folder, { recursive: true, force: true }));

const define = (options, code = '') => `
import { defineExtension, Controller, Entity, Get, Module, RequirePermission, WorkspaceEntity } from 'outreach/extension';
${code}
class Empty {}
Module({})(Empty);
export default defineExtension({ name: 'faulty', module: Empty, ${options} });
`;

const PROVIDER = `
class Pen { constructor() { throw new Error('no more ink'); } }
class WithProvider {}
Module({ providers: [Pen] })(WithProvider);
`;
const ENTITY = `
class Pen extends WorkspaceEntity {}
Entity('faulty_pens')(Pen);
`;
const migration = (statement) => `
class Faulty1790000000001 {
  async up(queryRunner) { await queryRunner.query(${JSON.stringify(statement)}); }
  async down() {}
}
`;

/** Each module, and what the operator reads. */
const ERRORS = {
  'that throws': ["throw new Error('out of paper');", /cannot be loaded: out of paper/],
  'without a definition': ['export default { name: "faulty" };', /must be the result of defineExtension/],
  'with a name of the service': [define("name: 'contacts'"), /the name contacts belongs to the service/],
  'with a wrong name': [define("name: 'Not a name'"), /its name must be/],
  'with an event of another module': [define("events: ['contact.created']"), /must begin with faulty\./],
  'with a queue of another module': [define("queues: ['sending']"), /must be faulty or begin with faulty-/],
  'with an event that nothing publishes': [define("events: ['faulty.done']"), /the declared event faulty\.done has no @PublicEvent/],
  'with a queue that nothing processes': [define("queues: ['faulty']"), /failed: The queue faulty needs exactly one processor/],
  'whose provider throws': [
    define('module: WithProvider', PROVIDER),
    /The start with OUTREACH_MODULES \(faulty\) failed: no more ink, at file:.*\.mjs:\d+:\d+\.$/m,
  ],
  'whose migration fails': [
    define('migrations: [Faulty1790000000001]', migration('CREATE TABEL faulty_pens ()')),
    /The migrations of the extension faulty failed: Migration "Faulty1790000000001": syntax error at or near "TABEL"/,
  ],
  'without the table of an entity': [
    define('entities: [Pen], migrations: [Faulty1790000000001]', `${ENTITY}${migration('SELECT 1')}`),
    /The extension faulty: no migration creates the table faulty_pens\./,
  ],
  'without a column of an entity': [
    define(
      'entities: [Pen], migrations: [Faulty1790000000001]',
      `${ENTITY}${migration('CREATE TABLE faulty_pens (workspace_id bigint, id bigint, created_at timestamptz)')}`,
    ),
    /no migration creates the column faulty_pens\.updated_at\./,
  ],
  'whose rows an erasure would leave': [
    define(
      'migrations: [Faulty1790000000001]',
      migration('CREATE TABLE faulty_pens (workspace_id bigint, id bigint, contact_id bigint)'),
    ),
    /faulty_pens has contact_id, but no foreign key .* so erasures would leave its rows/,
  ],
  'that imports internals': ["import 'outreach/dist/bundle/main.js';", /outreach\/dist\/bundle\/main.js cannot be imported/],
  'with a second copy of TypeORM': ["import 'typeorm';", /import the same names from outreach\/extension/],
};

for (const [what, [code, message]] of Object.entries(ERRORS)) {
  test(`a module ${what} ends the start with one line`, async () => {
    const file = join(folder, `${what.replaceAll(' ', '-')}.mjs`);
    await writeFile(file, code);
    await assert.rejects(Service.start(file), (error) => {
      assert.match(error.message, message);
      assert.match(error.message, /faulty/);
      assert.equal(error.message.trim().split('\n').length, 1);
      return true;
    });
  });
}

const ROUTES = `
class Routes { list() { return {}; } }
const list = Object.getOwnPropertyDescriptor(Routes.prototype, 'list');
`;
const controller = (path, permission) => define(
  "module: WithRoutes",
  `${ROUTES}
Get()(Routes.prototype, 'list', list);
RequirePermission('${permission}')(Routes.prototype, 'list', list);
Controller('${path}')(Routes);
class WithRoutes {}
Module({ controllers: [Routes] })(WithRoutes);`,
);

test('a route that another one hides, or with an unknown permission, ends the start with one line', async () => {
  for (const [path, permission, message] of [
    ['v1/contacts/seven', 'faulty:read', /GET \/v1\/contacts\/seven cannot be reached: GET \/v1\/contacts\/:id gets/],
    ['v1/faulty', 'other:read', /GET \/v1\/faulty needs other:read, which does not exist/],
    ['faulty', 'faulty:write', /GET \/faulty must begin with \/v1\//],
  ]) {
    const file = join(folder, `${permission.replace(':', '-')}.mjs`);
    await writeFile(file, controller(path, permission));
    await assert.rejects(Service.start(file), message);
  }
});

test('a handler that throws responds with 500, and the service goes on', async () => {
  const file = join(folder, 'throws.mjs');
  await writeFile(file, controller('v1/faulty', 'faulty:read').replace('return {};', "throw new Error('no more ink');"));
  const service = await Service.start(`${file},${MODULE}`);
  try {
    const { request } = await service.workspace();
    const { status, body } = await request('GET', '/v1/faulty');
    assert.equal(status, 500);
    assert.ok(!JSON.stringify(body).includes('ink'));
    assert.equal((await request('GET', '/v1/contacts')).status, 200);
    // The log of another process may arrive after its response.
    for (let waits = 0; waits < 100 && !service.log.includes('no more ink'); waits++) await pause(100);
    assert.match(service.log, /no more ink/);
  } finally {
    await service.stop();
  }
});

test('a module with the name of other tables, or with the name of a queue of the service, ends the start with one line', async () => {
  for (const [name, options, code, message] of [
    ['tracking', 'migrations: [Faulty1790000000001]', migration('SELECT 1'), /The extension tracking needs another name: .*tracking_events/],
    ['sending', "queues: ['sending']", '', /failed: Two queues have the name sending/],
  ]) {
    const file = join(folder, `${name}.mjs`);
    await writeFile(file, define(`name: '${name}', ${options}`, code));
    await assert.rejects(Service.start(file), message);
  }
});

test('two modules with one name end the start with one line', async () => {
  const copy = join(folder, 'copy.mjs');
  await writeFile(copy, define("name: 'notes'"));
  await assert.rejects(Service.start(`${MODULE},${copy}`), /another extension has the name notes/);
});
