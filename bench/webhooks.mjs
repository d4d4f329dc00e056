// Deliveries per second, signed and logged, compared with an undici pool that sends the same bodies to the same HTTPS
// receiver; and the time from an event to its arrival, with and without one receiver of ten that never responds.
// node bench/webhooks.mjs [events] [rounds] [seconds]
import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';
import { compare } from './fixture/compare.mjs';
import { startFixture } from './fixture/service.mjs';

const [events = 12_000, rounds = 3, seconds = 20] = process.argv.slice(2).map(Number);
const WEBHOOKS = 10;
const CONNECTIONS = 40;
const EVENTS_PER_SECOND = 50;
const ca = fileURLToPath(new URL('../test/support/tls/ca.pem', import.meta.url));

const receiver = fork(new URL('./fixture/webhook-receiver.mjs', import.meta.url));
const [{ port }] = await once(receiver, 'message');
process.on('exit', () => receiver.kill());
const origin = `https://127.0.0.1:${port}`;
const receivedSoFar = async () => {
  receiver.send('count');
  return (await once(receiver, 'message'))[0];
};
const fixture = await startFixture({ NODE_EXTRA_CA_CERTS: ca });
const subscribe = (path) =>
  fixture.call('POST', '/webhooks', { url: origin + path, events: ['contact.created'] }).then(({ data }) => data.id);

/** The body of a delivery. */
const { id } = await fixture.call('POST', '/contacts', {
  email: 'zoe@example.com',
  first_name: 'Zoë',
  last_name: 'Example',
});
const { data } = await fixture.call('GET', `/contacts/${id}`);
const body = JSON.stringify({ event: 'contact.created', workspace_id: fixture.workspaceId, data });
const deliveries = events * WEBHOOKS;

/** Queues all deliveries while the webhooks are paused, and measures how fast they are sent afterwards. */
async function ours() {
  await fixture.database.query(`UPDATE webhooks SET paused_until = 'infinity'`);
  await fixture.database.query(
    `WITH new_events AS (
       INSERT INTO webhook_events (workspace_id, event, payload)
       SELECT $1, 'contact.created', $2 FROM generate_series(1, $3) RETURNING *)
     INSERT INTO webhook_deliveries (workspace_id, webhook_id, event_id, event_created_at, delivery_id)
     SELECT $1, webhook.id, new_events.id, new_events.created_at, gen_random_uuid() FROM new_events CROSS JOIN webhooks webhook`,
    [fixture.workspaceId, body, events],
  );
  await fixture.database.query('ANALYZE webhook_deliveries, webhook_events');
  const before = (await receivedSoFar()).count;
  const startedAt = performance.now();
  await fixture.database.query('UPDATE webhooks SET paused_until = NULL');
  while ((await receivedSoFar()).count < before + deliveries) await pause(10);
  const rate = (deliveries / (performance.now() - startedAt)) * 1000;
  const countQueued = () => fixture.database.query('SELECT count(*)::int AS queued FROM webhook_deliveries');
  while ((await countQueued()).rows[0].queued > 0) await pause(50);
  return rate;
}

async function baseline() {
  const pool = new Pool(origin, { connections: CONNECTIONS, connect: { ca: readFileSync(ca) } });
  const headers = { 'content-type': 'application/json' };
  let sent = 0;
  const startedAt = performance.now();
  const loop = async () => {
    while (sent++ < deliveries) {
      const response = await pool.request({ path: '/baseline', method: 'POST', headers, body });
      await response.body.dump();
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, loop));
  const rate = (deliveries / (performance.now() - startedAt)) * 1000;
  await pool.close();
  return rate;
}

for (let n = 0; n < WEBHOOKS; n++) await subscribe(`/fast/${n}`);
await compare(`Delivering ${deliveries} events of ${body.length} bytes to ${WEBHOOKS} webhooks`, {
  rounds,
  ours,
  baseline,
  unit: 'deliveries/s',
  better: 'higher',
  bounds: { required: 0.25, target: 0.4 },
  fixture,
  operations: () => deliveries,
});

/** Returns the milliseconds from each event to its arrival at the healthy webhooks, sorted. */
async function arrivalTimes(silent) {
  await fixture.database.query('DELETE FROM webhooks');
  for (let n = silent; n < WEBHOOKS; n++) await subscribe(`/timed/${n}`);
  for (let n = 0; n < silent; n++) await subscribe('/silent');
  await receivedSoFar();
  const until = Date.now() + seconds * 1000;
  const calls = [];
  for (let n = 0; Date.now() < until; n++) {
    calls.push(fixture.call('POST', '/contacts', { email: `${randomUUID()}@example.com` }));
    await pause(1000 / EVENTS_PER_SECOND);
  }
  await Promise.all(calls);
  await pause(3000);
  return (await receivedSoFar()).times.sort((a, b) => a - b);
}

const percentile = (times, share) => times[Math.floor(times.length * share)];
await compare(
  `p99 from an event to its arrival, ${EVENTS_PER_SECOND} events/s to ${WEBHOOKS} webhooks, one of them silent`,
  {
    rounds: 2,
    ours: async () => percentile(await arrivalTimes(1), 0.99),
    baseline: async () => percentile(await arrivalTimes(0), 0.99),
    unit: 'ms',
    better: 'lower; the baseline has no silent receiver',
    bounds: { required: 2 },
  },
);
await fixture.stop();
receiver.disconnect();
