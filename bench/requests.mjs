// Requests a second at a workspace with a million contacts, beside a bare node:http server that runs the same SQL.
// node bench/requests.mjs [contacts] [seconds] [rounds]
import { fork } from 'node:child_process';
import { once } from 'node:events';
import autocannon from 'autocannon';
import { compare } from './fixture/compare.mjs';
import { seedContacts } from './fixture/seed-contacts.mjs';
import { startStage } from './fixture/service.mjs';

const [contacts = 1_000_000, seconds = 5, rounds = 3] = process.argv.slice(2).map(Number);
const stage = await startStage({ ROLE: 'api' });
await seedContacts(stage, contacts);
const { rows } = await stage.database.query('SELECT id FROM contacts ORDER BY id LIMIT 1 OFFSET 500');
const [{ id }] = rows;

const bare = fork(new URL('./fixture/baseline-server.mjs', import.meta.url), [
  stage.databaseUrl,
  String(stage.workspaceId),
]);
const [{ port }] = await once(bare, 'message');
let posted = 0;

const load = async (base, path, body) => {
  const result = await autocannon({
    url: `${base}${path}`,
    connections: 20,
    duration: seconds,
    headers: { authorization: `Bearer ${stage.token}`, 'content-type': 'application/json' },
    ...(body ? { method: 'POST', setupClient: (client) => eachTimeAnother(client, body) } : {}),
  });
  if (result.non2xx > 0) throw new Error(`${path}: ${result.non2xx} answers were no success`);
  return result.requests.average;
};
function eachTimeAnother(client, body) {
  client.setBody(body());
  client.on('response', () => client.setBody(body()));
}
const newContact = () => JSON.stringify({ email: `new${Date.now()}.${++posted}@example.com`, first_name: 'New' });
const cases = [
  ['GET one contact', `/contacts/${id}`, undefined, 'higher; bar 0.28, aim 0.36'],
  ['GET the first page of 15 with total', '/contacts?per_page=15', undefined, 'higher; bar 0.35, aim 0.60'],
  ['POST a contact', '/contacts', newContact, 'higher; bar 0.20, aim 0.35'],
];
for (const [title, path, body, better] of cases) {
  await compare(`${title}, ${contacts} contacts`, {
    rounds,
    ours: () => load(stage.url, path, body),
    limit: () => load(`http://127.0.0.1:${port}/v1`, path, body),
    unit: 'requests/s',
    better,
  });
}
bare.kill();
await stage.stop();
