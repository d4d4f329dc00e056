// Requests per second with a million contacts in the workspace, compared with a node:http server that runs the same SQL.
// node bench/requests.mjs [contacts] [seconds] [rounds]
import { fork } from 'node:child_process';
import { once } from 'node:events';
import autocannon from 'autocannon';
import { compare } from './fixture/compare.mjs';
import { seedContacts } from './fixture/seed-contacts.mjs';
import { startFixture } from './fixture/service.mjs';

const [contacts = 1_000_000, seconds = 5, rounds = 3] = process.argv.slice(2).map(Number);
const fixture = await startFixture({ ROLE: 'api' });
await seedContacts(fixture, contacts);
const { rows } = await fixture.database.query('SELECT id FROM contacts ORDER BY id LIMIT 1 OFFSET 500');
const [{ id }] = rows;

const baselineServer = fork(new URL('./fixture/baseline-server.mjs', import.meta.url), [
  fixture.databaseUrl,
  String(fixture.workspaceId),
]);
const [{ port }] = await once(baselineServer, 'message');
let posted = 0;

const headers = { authorization: `Bearer ${fixture.token}`, 'content-type': 'application/json' };
const load = async (base, path, body, isKeyed) => {
  const result = await autocannon({
    url: `${base}${path}`,
    connections: 20,
    duration: seconds,
    headers,
    ...(body ? { method: 'POST', setupClient: (client) => useNewBodies(client, body, isKeyed) } : {}),
  });
  if (result.non2xx > 0) throw new Error(`${path}: ${result.non2xx} responses were not successful`);
  return result.requests.average;
};
function useNewBodies(client, body, isKeyed) {
  const next = () => {
    client.setBody(body());
    if (isKeyed) client.setHeaders({ ...headers, 'idempotency-key': `${Date.now()}.${posted}` });
  };
  next();
  client.on('response', next);
}
const newContact = () => JSON.stringify({ email: `new${Date.now()}.${++posted}@example.com`, first_name: 'New' });
const cases = [
  ['GET one contact', `/contacts/${id}`, undefined, { required: 0.28, target: 0.36 }],
  ['GET the first page of 15 with total', '/contacts?per_page=15', undefined, { required: 0.35, target: 0.6 }],
  ['POST a contact', '/contacts', newContact, { required: 0.2, target: 0.35 }],
  ['POST a contact with an Idempotency-Key', '/contacts', newContact, {}, true],
];
for (const [title, path, body, bounds, isKeyed = false] of cases) {
  await compare(`${title}, ${contacts} contacts`, {
    rounds,
    ours: () => load(fixture.url, path, body, isKeyed),
    baseline: () => load(`http://127.0.0.1:${port}/v1`, path, body),
    unit: 'requests/s',
    better: 'higher',
    bounds,
    fixture,
    operations: (rate) => rate * seconds,
  });
}
baselineServer.kill();
await fixture.stop();
