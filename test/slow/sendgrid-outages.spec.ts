import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { Schema } from '../support/api-schemas.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { SendgridStub } from '../support/sendgrid-stub.js';
import { type TestService, useService } from '../support/service.js';

const MESSAGES = 20;
/** A worker makes at most so many requests for an account at the same time. */
const MAX_CONNECTIONS = 5;

/** A running campaign with an account of SendGrid, and its messages. */
async function runningCampaign(service: TestService, key: string, fields: object = {}) {
  const api = await service.client();
  const given = new Given(api, service.database);
  const { data: account } = await api.post('/email-accounts', {
    ...{ name: 'SendGrid', type: 'sendgrid', from_email: 'grid@sender.example', from_name: 'Grid' },
    ...{ daily_limit: 100, sendgrid_api_key: key, ...fields },
  });
  const campaign = await given.running(await given.contacts(MESSAGES, 'outage'), { email_account_ids: [account.id] });
  const messages = async (): Promise<Schema<'Message'>[]> =>
    (await api.get(`/campaigns/${campaign.id}/messages?per_page=100`)).data;
  const sentToday = async () => (await api.get(`/email-accounts/${account.id}`)).data.sent_today;
  return { campaign, messages, sentToday };
}

describe.each<[string, (socket: Socket) => unknown]>([
  // A load balancer that has lost its servers accepts connections, and closes them during the TLS handshake.
  ['fail', (socket) => socket.resetAndDestroy()],
  ['get no response', () => undefined],
])('an outage of SendGrid in which TLS handshakes %s', (_, respond) => {
  let server: Server;
  const open = new Set<Socket>();
  const service = useService(async () => {
    server = createServer((socket) => {
      open.add(socket);
      socket.on('error', () => undefined).on('data', () => respond(socket));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return { SENDGRID_BASE_URL: `https://127.0.0.1:${(server.address() as AddressInfo).port}` };
  });
  beforeAll(() => service.startWorker());
  afterAll(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });

  it('counts a failed attempt for each message that was tried, lets the others wait, and makes none uncertain', async () => {
    const { campaign, messages, sentToday } = await runningCampaign(service, 'SG.any.key');
    const waiting = Array.from({ length: MESSAGES }, () => ({
      ...{ status: 'queued', reason: 'temporary_failure' },
    }));
    await eventually(async () => expect(await messages()).toMatchObject(waiting));
    const attempts = new Set((await messages()).map((message) => message.attempts));
    expect([...attempts].toSorted()).toEqual([0, 1]);
    expect(
      await service.database.query(
        `SELECT sum(uncertain_attempts)::int AS uncertain, min(next_attempt_at) > now() + interval '4 minutes' AS waits
         FROM queued_messages WHERE campaign_id = $1`,
        [campaign.id],
      ),
    ).toEqual([{ uncertain: 0, waits: true }]);
    expect(await sentToday()).toBe(0);
  });
});

describe('an outage of SendGrid in which emails are not confirmed', () => {
  let sendgrid: SendgridStub;
  const service = useService(async () => {
    sendgrid = await SendgridStub.start();
    return { SENDGRID_BASE_URL: sendgrid.url };
  });
  beforeAll(() => service.startWorker());
  afterAll(() => sendgrid.stop());

  const counts = async ({ id }: { id: number }) => {
    const [row] = await service.database.query<{ uncertain: number; waiting: number; due: number; leased: number }>(
      `SELECT count(*) FILTER (WHERE uncertain_attempts > 0)::int AS uncertain,
         count(*) FILTER (WHERE uncertain_attempts = 0 AND reason = 'temporary_failure')::int AS waiting,
         count(*) FILTER (WHERE uncertain_attempts = 0 AND reason IS DISTINCT FROM 'temporary_failure')::int AS due,
         count(*) FILTER (WHERE status = 'sending')::int AS leased
       FROM queued_messages WHERE campaign_id = $1`,
      [id],
    );
    if (!row) throw new Error('An aggregate has a row.');
    return row;
  };

  it.each<[string, SendgridStub['outage'], number]>([
    ['a gateway responds with 502', [502, 'Bad Gateway'], 0],
    ['connections are closed after more than the time of a run', 'drop', 6_000],
  ])('makes few messages uncertain if %s, and lets the others wait', async (_, outage, delayMs) => {
    Object.assign(sendgrid, { outage, delayMs });
    const { campaign } = await runningCampaign(service, sendgrid.key);
    await eventually(async () => {
      const { uncertain, waiting } = await counts(campaign);
      expect(uncertain + waiting).toBe(MESSAGES);
      expect(uncertain).toBeGreaterThanOrEqual(MAX_CONNECTIONS);
      expect(uncertain).toBeLessThanOrEqual(3 * MAX_CONNECTIONS);
    });
  });

  it('does not count for the other messages of an account with a gap', async () => {
    Object.assign(sendgrid, { outage: [502, 'Bad Gateway'], delayMs: 0 });
    const { campaign } = await runningCampaign(service, sendgrid.key, { min_seconds_between: 300 });
    // Its lease has ended, and it waits for the second attempt.
    await eventually(async () => expect(await counts(campaign)).toMatchObject({ uncertain: 1, leased: 0 }));
    expect(await counts(campaign)).toMatchObject({ waiting: 0, due: MESSAGES - 1 });
  });
});
