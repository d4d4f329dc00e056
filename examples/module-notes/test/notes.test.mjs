import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { eventually, Service } from './service.mjs';

let service;
let workspace;
let contact;

before(async () => {
  service = await Service.start();
  workspace = await service.workspace();
  contact = await newContact(workspace);
});
after(() => service?.stop());

const newContact = async ({ request }) => {
  const { status, body } = await request('POST', '/v1/contacts', { email: `anna${Math.random()}@example.com` });
  assert.equal(status, 201);
  return body;
};
const notesOf = ({ id }) => `/v1/contacts/${id}/notes`;
const eventsOf = async ({ request }, name) => {
  const { body } = await request('GET', `/v1/events?event=${name}&limit=1000`);
  return body.data.map(({ data }) => data);
};

test('a note is created, listed, shown, changed by PUT and PATCH, and deleted', async () => {
  const { request } = workspace;
  const created = await request('POST', notesOf(contact), { text: 'Prefers calls' });
  assert.equal(created.status, 201);
  const path = `${notesOf(contact)}/${created.body.data.id}`;
  assert.deepEqual((await request('GET', path)).body.data, created.body.data);
  const page = (await request('GET', `${notesOf(contact)}?search=calls&per_page=1`)).body;
  assert.deepEqual([page.data, page.meta.total], [[created.body.data], 1]);
  assert.equal((await request('PUT', path, { text: 'Prefers mail' })).body.data.text, 'Prefers mail');
  assert.equal((await request('PATCH', path, { text: 'Prefers talks' })).body.data.text, 'Prefers talks');
  assert.equal((await request('DELETE', path)).status, 204);
  assert.equal((await request('GET', path)).status, 404);
});

test('wrong input is refused with the errors of all fields', async () => {
  const { status, body } = await workspace.request('POST', notesOf(contact), { text: 7, remind_at: 'soon', colour: 'red' });
  assert.equal(status, 422);
  assert.deepEqual(Object.keys(body.errors).sort(), ['colour', 'remind_at', 'text']);
  assert.equal((await workspace.request('POST', notesOf(contact), [])).status, 422);
  assert.equal((await workspace.request('GET', `${notesOf(contact)}?sort=colour`)).status, 422);
});

test('records of another workspace do not exist for any route', async () => {
  const other = await service.workspace();
  const own = await newContact(other);
  const { id } = (await workspace.request('POST', notesOf(contact), { text: 'Secret' })).body.data;
  for (const at of [contact, own]) {
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
      const body = method === 'GET' || method === 'DELETE' ? undefined : { text: 'Changed' };
      assert.equal((await other.request(method, `${notesOf(at)}/${id}`, body)).status, 404, `${method} of a note`);
    }
  }
  assert.equal((await other.request('GET', notesOf(contact))).status, 404);
  assert.equal((await other.request('POST', notesOf(contact), { text: 'Mine' })).status, 404);
  assert.deepEqual((await other.request('GET', notesOf(own))).body.data, []);
  assert.equal((await workspace.request('GET', `${notesOf(contact)}/${id}`)).body.data.text, 'Secret');
});

test('a token needs the permissions of the module', async () => {
  const reader = await service.workspace([], 'contacts:write,notes:read');
  const at = notesOf(await newContact(reader));
  assert.equal((await reader.request('GET', at)).status, 200);
  assert.equal((await reader.request('POST', at, { text: 'No' })).status, 403);
  const { body } = await workspace.request('POST', '/v1/tokens', { name: 'API', permissions: ['notes:write'] });
  assert.deepEqual(body.data.permissions, ['notes:write']);
});

test('the event of a note is stored with it, and webhooks can subscribe to it', async () => {
  const { data } = (await workspace.request('POST', notesOf(contact), { text: 'Called' })).body;
  assert.deepEqual((await eventsOf(workspace, 'notes.created')).find(({ id }) => id === data.id), data);
  const wanted = { url: 'https://example.com/hook', events: ['notes.created', 'notes.dew'] };
  const refused = await workspace.request('POST', '/v1/webhooks', wanted);
  assert.ok(refused.body.errors['events.1'], JSON.stringify(refused.body));
  assert.equal(refused.body.errors['events.0'], undefined);
});

test('a reminder that is due causes one event', async () => {
  const remind_at = new Date(Date.now() + 1500).toISOString();
  const { data } = (await workspace.request('POST', notesOf(contact), { text: 'Call', remind_at })).body;
  assert.equal(data.reminded_at, null);
  const dueOnes = async () => (await eventsOf(workspace, 'notes.due')).filter(({ id }) => id === data.id);
  await eventually(async () => (await dueOnes()).length > 0);
  const [event, ...others] = await dueOnes();
  assert.ok(event.reminded_at >= remind_at);
  assert.deepEqual(others, []);
});

test('in a sandbox a reminder is due by the clock of the sandbox', async () => {
  const sandbox = await service.workspace(['--sandbox']);
  const at = notesOf(await newContact(sandbox));
  const remind_at = new Date(Date.now() + 30 * 86_400_000).toISOString();
  await sandbox.request('POST', at, { text: 'In a month', remind_at });
  const { body } = await sandbox.request('POST', '/v1/sandbox/clock', { advance_seconds: 31 * 86_400 });
  assert.equal(body.data.is_settled, true);
  const [event] = await eventsOf(sandbox, 'notes.due');
  assert.ok(Math.abs(Date.parse(event.reminded_at) - Date.parse(remind_at)) < 60_000, event.reminded_at);
});

test('reminders of two workspaces are due at the same time, and each causes one event', async () => {
  const [many, one] = [await service.workspace(), await service.workspace()];
  const [ofMany, ofOne] = [notesOf(await newContact(many)), notesOf(await newContact(one))];
  const remind_at = new Date(Date.now() + 3000).toISOString();
  for (let round = 0; round < 10; round += 1) {
    await Promise.all(Array.from({ length: 30 }, () => many.request('POST', ofMany, { text: 'Many', remind_at })));
  }
  await one.request('POST', ofOne, { text: 'One', remind_at });
  await eventually(async () => (await eventsOf(one, 'notes.due')).length === 1);
  await eventually(async () => (await eventsOf(many, 'notes.due')).length === 300);
  const ids = (await eventsOf(many, 'notes.due')).map(({ id }) => id);
  assert.equal(new Set(ids).size, 300);
});

test('the notes on a person are in the export, and go with the erasure', async () => {
  const person = await newContact(workspace);
  await workspace.request('POST', notesOf(person), { text: 'Personal' });
  const exported = await workspace.request('GET', `/v1/contacts/${person.id}/export`);
  assert.deepEqual(exported.body.notes.map(({ text }) => text), ['Personal']);
  const erased = await workspace.request('POST', `/v1/contacts/${person.id}/erase`);
  assert.ok(erased.status < 300, JSON.stringify(erased.body));
  assert.equal((await workspace.request('GET', notesOf(person))).status, 404);
  await eventually(async () =>
    (await eventsOf(workspace, 'notes.created')).every(({ text }) => text !== 'Personal'),
  );
});

test('the reference of the running service has the routes, permissions and events of the module', async () => {
  const reference = await (await fetch(`${service.url}/openapi.json`)).json();
  const path = Object.keys(reference.paths).find((name) => /contacts\/\{\w+\}\/notes$/.test(name));
  assert.equal(reference.paths[path].post.operationId, 'createContactNote');
  assert.ok(reference.components.schemas.Note);
  assert.ok(reference.components.schemas.Permission.enum.includes('notes:write'));
  assert.ok(reference.components.schemas.EventName.enum.includes('notes.due'));
  assert.ok(reference.webhooks['notes.created']);
  assert.ok(reference.paths['/v1/contacts']?.get.description ?? reference.paths['/contacts']?.get.description);
  const shown = await (await fetch(`${service.url}/docs/openapi.json`)).json();
  const [sample] = shown.paths[path].post['x-codeSamples'];
  // The types of the client do not know the module.
  assert.match(sample.source, /await fetch\('.+\/v1\/contacts\/.+\/notes', \{\n {2}method: 'POST'/);
});

test('a workspace with notes is deleted', async () => {
  const deleted = await service.workspace();
  await deleted.request('POST', notesOf(await newContact(deleted)), { text: 'Gone' });
  assert.equal((await service.command('workspace', 'delete', deleted.id, '--yes')).code, 0);
  await eventually(async () => {
    const { stdout } = await service.command('workspace', 'list', '--json');
    return !stdout.includes(`"id":${deleted.id},`);
  });
});

test('doctor names the tables of a module that is not loaded', async () => {
  const loaded = await service.command('doctor');
  assert.doesNotMatch(loaded.stdout, /extension module/);
  service.env.OUTREACH_MODULES = '';
  try {
    const { stdout } = await service.command('doctor');
    assert.match(stdout, /tables of the extension module notes, which is not loaded/);
  } finally {
    service.env.OUTREACH_MODULES = (await import('./service.mjs')).MODULE;
  }
});
