// Signed events of SendGrid per second in a burst: how fast they are stored and answered, compared with a node:http server
// that verifies and inserts each request; then until all of them have taken effect. With 1, 10 and 100 events in a request,
// because SendGrid collects events for some time: the more there are, the more are in a request. With 10, also with the API
// and a worker in processes of their own.
// node bench/callbacks.mjs [messages] [rounds]
import { fork } from 'node:child_process';
import { createHash, createSign, generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import { seedRecipients, sendCampaign, startMailSink } from './fixture/campaign.mjs';
import { compare, report } from './fixture/compare.mjs';
import { startFixture } from './fixture/service.mjs';

const [messages = 10_000, rounds = 3] = process.argv.slice(2).map(Number);
const EVENTS_PER_REQUEST = [10, 1, 100];
const CONNECTIONS = 20;
const REQUIRED_EVENTS_PER_SECOND = 5_000;

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const webhookKey = publicKey.export({ format: 'der', type: 'spki' }).toString('base64');

const sink = await startMailSink();
for (const settings of [{}, { ROLE: 'api' }]) await measure(settings);
sink.stop();

/** @param settings of the process that receives; without the role of a worker, another process has it */
async function measure(settings) {
  const fixture = await startFixture(settings);
  if (settings.ROLE) await fixture.startWorkers(1);
  const recipients = await seedRecipients(fixture, { accounts: 20, contacts: messages });
  await fixture.call('POST', '/email-accounts', {
    name: 'SendGrid',
    type: 'sendgrid',
    from_email: 'sender@sender.example',
    from_name: 'Sender',
    sendgrid_api_key: 'SG.unused',
    sendgrid_webhook_key: webhookKey,
  });
  const { data: inbound } = await fixture.call('GET', '/inbound');
  const path = new URL(inbound.sendgrid_url).pathname;
  await fixture.database.query(
    'CREATE TABLE received_callbacks (id bigserial PRIMARY KEY, body bytea, received_at timestamptz)',
  );
  const baselineServer = fork(new URL('./fixture/callback-server.mjs', import.meta.url), [
    fixture.databaseUrl,
    webhookKey,
  ]);
  const [{ port }] = await once(baselineServer, 'message');
  process.on('exit', () => baselineServer.kill());

  /** Sends a campaign. @returns the requests that report that each of its messages was delivered */
  async function deliveredRequests(size) {
    const { rows: before } = await fixture.database.query('SELECT coalesce(max(id), 0) AS id FROM messages');
    await sendCampaign(fixture, sink, { ...recipients, messages });
    const { rows } = await fixture.database.query('SELECT message_id FROM messages WHERE id > $1 ORDER BY id', [
      before[0].id,
    ]);
    const timestamp = String(Math.floor(Date.now() / 1000));
    return Array.from({ length: Math.ceil(rows.length / size) }, (_, number) => {
      const some = rows.slice(number * size, (number + 1) * size);
      const body = JSON.stringify(some.map((row) => eventOf(row.message_id, Number(timestamp))));
      const signature = createSign('sha256')
        .update(timestamp + body)
        .sign(privateKey, 'base64');
      return {
        body,
        headers: {
          'content-type': 'application/json',
          'x-twilio-email-event-webhook-signature': signature,
          'x-twilio-email-event-webhook-timestamp': timestamp,
        },
      };
    });
  }

  const eventOf = (messageId, timestamp) => ({
    event: 'delivered',
    email: 'person@example.com',
    timestamp,
    'smtp-id': `<${messageId}>`,
    sg_event_id: createHash('sha256').update(messageId).digest('base64url').slice(0, 22),
    sg_message_id: `${messageId.slice(0, 20)}.filter0001.16648.5515E0B88.0`,
    response: '250 2.0.0 OK',
  });

  /** @returns events per second until the last request is answered */
  async function post(origin, to, requests) {
    const pool = new Pool(origin, { connections: CONNECTIONS });
    const waiting = [...requests];
    const startedAt = performance.now();
    await Promise.all(
      Array.from({ length: CONNECTIONS }, async () => {
        for (let request = waiting.pop(); request; request = waiting.pop()) {
          const response = await pool.request({ path: to, method: 'POST', ...request });
          await response.body.dump();
          if (response.statusCode !== 200) throw new Error(`${to}: ${response.statusCode}`);
        }
      }),
    );
    const rate = (messages / (performance.now() - startedAt)) * 1000;
    await pool.close();
    return rate;
  }

  /** @param size events in a request */
  async function burst(size) {
    const effective = [];
    async function ours() {
      const requests = await deliveredRequests(size);
      const delivered = async () =>
        (await fixture.database.query(`SELECT count(*)::int AS count FROM messages WHERE status = 'delivered'`)).rows[0]
          .count;
      const before = await delivered();
      const startedAt = performance.now();
      const rate = await post(new URL(fixture.url).origin, path, requests);
      while ((await delivered()) < before + messages) await pause(50);
      effective.push((messages / (performance.now() - startedAt)) * 1000);
      return rate;
    }

    let baselineRequests;
    async function baseline() {
      baselineRequests ??= await deliveredRequests(size);
      return post(`http://127.0.0.1:${port}`, '/', baselineRequests);
    }

    const processes = settings.ROLE ? ', the API and a worker in two processes' : '';
    await compare(
      `A burst of ${messages} signed events, ${size} in a request, until each is stored and answered${processes}`,
      {
        rounds,
        ours,
        baseline,
        unit: 'events/s',
        better: `higher; required with 10 in a request: ${REQUIRED_EVENTS_PER_SECOND} events/s`,
      },
    );
    report({
      title: `The same burst, until each event has taken effect`,
      results: { ours: effective },
      unit: 'events/s',
      better: 'higher',
    });
  }

  for (const size of settings.ROLE ? [10] : EVENTS_PER_REQUEST) await burst(size);
  baselineServer.kill();
  await fixture.stop();
}
