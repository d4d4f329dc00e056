// Deliveries a second, signed and logged, beside a bare undici pool with the same bodies to the same HTTPS receiver; and
// how long events take to arrive, with and without one dead receiver among ten.
// node bench/webhooks.mjs [events] [rounds] [seconds]
import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';
import { compare } from './fixture/compare.mjs';
import { startStage } from './fixture/service.mjs';

const [events = 2000, rounds = 3, seconds = 20] = process.argv.slice(2).map(Number);
const WEBHOOKS = 10;
const CONNECTIONS = 40;
const EVENTS_A_SECOND = 50;
const ca = fileURLToPath(new URL('../test/support/tls/ca.pem', import.meta.url));

const receiver = fork(new URL('./fixture/webhook-receiver.mjs', import.meta.url));
const [{ port }] = await once(receiver, 'message');
process.on('exit', () => receiver.kill());
const origin = `https://127.0.0.1:${port}`;
const seen = async () => {
  receiver.send('what came');
  return (await once(receiver, 'message'))[0];
};
const stage = await startStage({ NODE_EXTRA_CA_CERTS: ca });
const subscribe = (path) =>
  stage.call('POST', '/webhooks', { url: origin + path, events: ['contact.created'] }).then(({ data }) => data.id);

/** A body as a delivery has it. */
const { id } = await stage.call('POST', '/contacts', {
  email: 'zoe@example.com',
  first_name: 'Zoë',
  last_name: 'Example',
});
const { data } = await stage.call('GET', `/contacts/${id}`);
const body = JSON.stringify({ event: 'contact.created', workspace_id: stage.workspaceId, data });
const deliveries = events * WEBHOOKS;

/** Lets as many deliveries wait, and measures how fast they go. */
async function ours() {
  await stage.database.query(`UPDATE webhooks SET paused_until = 'infinity'`);
  await stage.database.query(
    `WITH raised AS (
       INSERT INTO webhook_events (workspace_id, event, payload)
       SELECT $1, 'contact.created', $2 FROM generate_series(1, $3) RETURNING *)
     INSERT INTO webhook_deliveries (workspace_id, webhook_id, event_id, event_created_at, delivery_id)
     SELECT $1, webhook.id, raised.id, raised.created_at, gen_random_uuid() FROM raised CROSS JOIN webhooks webhook`,
    [stage.workspaceId, body, events],
  );
  await stage.database.query('ANALYZE webhook_deliveries, webhook_events');
  const before = (await seen()).taken;
  const startedAt = performance.now();
  await stage.database.query('UPDATE webhooks SET paused_until = NULL');
  while ((await seen()).taken < before + deliveries) await pause(10);
  const rate = (deliveries / (performance.now() - startedAt)) * 1000;
  const left = () => stage.database.query('SELECT count(*)::int AS left FROM webhook_deliveries');
  while ((await left()).rows[0].left > 0) await pause(50);
  return rate;
}

async function limit() {
  const pool = new Pool(origin, { connections: CONNECTIONS, connect: { ca: readFileSync(ca) } });
  const headers = { 'content-type': 'application/json' };
  let sent = 0;
  const startedAt = performance.now();
  const loop = async () => {
    while (sent++ < deliveries) {
      const response = await pool.request({ path: '/bare', method: 'POST', headers, body });
      await response.body.dump();
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, loop));
  const rate = (deliveries / (performance.now() - startedAt)) * 1000;
  await pool.close();
  return rate;
}

for (let n = 0; n < WEBHOOKS; n++) await subscribe(`/quick/${n}`);
await compare(`Delivering ${deliveries} events of ${body.length} bytes to ${WEBHOOKS} webhooks`, {
  rounds,
  ours,
  limit,
  unit: 'deliveries/s',
  better: 'higher; bar 0.25, aim 0.40',
});

/** Milliseconds from the event to its arrival at healthy webhooks, sorted. */
async function arrivalTimes(dead) {
  await stage.database.query('DELETE FROM webhooks');
  for (let n = dead; n < WEBHOOKS; n++) await subscribe(`/timed/${n}`);
  for (let n = 0; n < dead; n++) await subscribe('/dead');
  await seen();
  const until = Date.now() + seconds * 1000;
  const calls = [];
  for (let n = 0; Date.now() < until; n++) {
    calls.push(stage.call('POST', '/contacts', { email: `${randomUUID()}@example.com` }));
    await pause(1000 / EVENTS_A_SECOND);
  }
  await Promise.all(calls);
  await pause(3000);
  return (await seen()).times.sort((a, b) => a - b);
}

console.log(`From the event to its arrival, ${EVENTS_A_SECOND} events/s to ${WEBHOOKS} webhooks`);
const at = (times, share) => times[Math.floor(times.length * share)];
const p99 = [];
for (const dead of [0, 1, 0, 1]) {
  const times = await arrivalTimes(dead);
  p99.push(at(times, 0.99));
  console.log(`  ${dead} dead  ${times.length} arrived, median ${at(times, 0.5)} ms, p99 ${at(times, 0.99)} ms`);
}
const ratio = (p99[1] + p99[3]) / (p99[0] + p99[2]);
console.log(`  ratio  ${ratio.toFixed(2)} (p99 with one dead among ten; bar 2)`);
await stage.stop();
receiver.disconnect();
