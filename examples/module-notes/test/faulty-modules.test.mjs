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
import { defineExtension, Controller, Get, Module, Post, RequirePermission } from 'outreach/extension';
${code}
class Empty {}
Module({})(Empty);
export default defineExtension({ name: 'faulty', module: Empty, ${options} });
`;

/** Each module, and what the operator reads. */
const ERRORS = {
  'that throws': ["throw new Error('out of paper');", /cannot be loaded: out of paper/],
  'without a definition': ['export default { name: "faulty" };', /must be the result of defineExtension/],
  'with a name of the service': [define("name: 'contacts'"), /the name contacts belongs to the service/],
  'with a wrong name': [define("name: 'Not a name'"), /its name must be/],
  'with an event of another module': [define("events: ['contact.created']"), /must begin with faulty\./],
  'with a queue of another module': [define("queues: ['sending']"), /must be faulty or begin with faulty-/],
  'that imports internals': ["import 'outreach/dist/bundle/main.js';", /outreach\/dist\/bundle\/main.js cannot be imported/],
  'with a second copy of TypeORM': ["import 'typeorm';", /import the same names from outreach\/extension/],
};

for (const [what, [code, message]] of Object.entries(ERRORS)) {
  test(`a module ${what} ends the start with one line`, async () => {
    const file = join(folder, `${what.replaceAll(' ', '-')}.mjs`);
    await writeFile(file, code);
    await assert.rejects(Service.start(file), (error) => {
      assert.match(error.message, message);
      assert.ok(error.message.includes(file));
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
    assert.match(service.log, /no more ink/);
    assert.equal((await request('GET', '/v1/contacts')).status, 200);
  } finally {
    await service.stop();
  }
});

test('two modules with one name end the start with one line', async () => {
  const copy = join(folder, 'copy.mjs');
  await writeFile(copy, define("name: 'notes'"));
  await assert.rejects(Service.start(`${MODULE},${copy}`), /another extension has the name notes/);
});
