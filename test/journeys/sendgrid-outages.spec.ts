import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import type { Schema } from '../support/api-schemas.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { useService } from '../support/service.js';

describe('an outage of SendGrid', () => {
  let server: Server;
  const service = useService(async () => {
    // A load balancer that has lost its servers accepts connections, and closes them during the TLS handshake.
    server = createServer((socket) => socket.once('data', () => socket.resetAndDestroy()).on('error', () => undefined));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return { SENDGRID_BASE_URL: `https://127.0.0.1:${(server.address() as AddressInfo).port}` };
  });
  beforeAll(() => service.startWorker());
  afterAll(() => server.close());

  it('in which TLS handshakes fail counts a failed attempt for each due message, and makes none uncertain', async () => {
    const api = await service.client();
    const given = new Given(api, service.database);
    const { data: account } = await api.post('/email-accounts', {
      ...{ name: 'SendGrid', type: 'sendgrid', from_email: 'grid@sender.example', from_name: 'Grid' },
      ...{ daily_limit: 100, sendgrid_api_key: 'SG.any.key' },
    });
    const campaign = await given.running(await given.contacts(20, 'outage'), { email_account_ids: [account.id] });
    await eventually(async () => {
      const { data: messages } = await api.get(`/campaigns/${campaign.id}/messages?per_page=100`);
      expect(messages).toHaveLength(20);
      for (const message of messages as Schema<'Message'>[]) {
        expect(message).toMatchObject({ status: 'queued', reason: 'temporary_failure', attempts: 1 });
      }
    });
    expect(
      await service.database.query(
        `SELECT sum(uncertain_attempts)::int AS uncertain, min(next_attempt_at) > now() + interval '4 minutes' AS waits
         FROM queued_messages WHERE campaign_id = $1`,
        [campaign.id],
      ),
    ).toEqual([{ uncertain: 0, waits: true }]);
    expect((await api.get(`/email-accounts/${account.id}`)).data.sent_today).toBe(0);
  });
});
