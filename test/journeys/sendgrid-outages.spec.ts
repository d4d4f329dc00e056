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
async function runningCampaign(service: TestService, key: string) {
  const api = await service.client();
  const given = new Given(api, service.database);
  const { data: account } = await api.post('/email-accounts', {
    ...{ name: 'SendGrid', type: 'sendgrid', from_email: 'grid@sender.example', from_name: 'Grid' },
    ...{ daily_limit: 100, sendgrid_api_key: key },
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

  it('counts a failed attempt for each due message, and makes none uncertain', async () => {
    const { campaign, messages, sentToday } = await runningCampaign(service, 'SG.any.key');
    const waiting = Array.from({ length: MESSAGES }, () => ({
      ...{ status: 'queued', reason: 'temporary_failure', attempts: 1 },
    }));
    await eventually(async () => expect(await messages()).toMatchObject(waiting));
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

describe('an outage of SendGrid in which its gateway responds', () => {
  let sendgrid: SendgridStub;
  const service = useService(async () => {
    sendgrid = await SendgridStub.start();
    return { SENDGRID_BASE_URL: sendgrid.url };
  });
  beforeAll(() => service.startWorker());
  afterAll(() => sendgrid.stop());

  it('makes few messages uncertain, and counts a failed attempt for the others', async () => {
    sendgrid.outage = [502, 'Bad Gateway'];
    const { campaign } = await runningCampaign(service, sendgrid.key);
    await eventually(async () => {
      const [row] = await service.database.query<{ uncertain: number; failed: number }>(
        `SELECT count(*) FILTER (WHERE uncertain_attempts = 1)::int AS uncertain,
           count(*) FILTER (WHERE uncertain_attempts = 0 AND attempts = 1 AND reason = 'temporary_failure')::int AS failed
         FROM queued_messages WHERE campaign_id = $1`,
        [campaign.id],
      );
      expect((row?.uncertain ?? 0) + (row?.failed ?? 0)).toBe(MESSAGES);
      expect(row?.uncertain).toBeGreaterThanOrEqual(MAX_CONNECTIONS);
      expect(row?.uncertain).toBeLessThan(2 * MAX_CONNECTIONS);
    });
  });
});
