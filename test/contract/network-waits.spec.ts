import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { ApiClient, ApiResponse } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { useSharedService } from '../support/service.js';
import { trustReceivers, WebhookReceiver } from '../support/webhook-receiver.js';

/** Together they would occupy every place of the process. */
const WORKSPACES = 4;
const TESTS_AT_ONCE = 5;
const TESTS_WAITING = 20;
const TESTS = TESTS_AT_ONCE + TESTS_WAITING + 3;

/** A server that accepts connections and never sends anything. */
class SilentServer {
  readonly sockets: Socket[] = [];
  private readonly server: Server = createServer((socket) => {
    this.sockets.push(socket.on('error', () => undefined));
  });

  async listen(): Promise<number> {
    this.server.listen(2525, '127.0.0.91');
    await once(this.server, 'listening');
    return (this.server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }
}

describe('requests that wait for servers that are silent', () => {
  trustReceivers();
  const service = useSharedService();
  let testing: ApiClient[];
  let other: ApiClient;
  beforeEach(async () => {
    testing = [];
    for (let count = 0; count < WORKSPACES; count += 1) testing.push(await service.client());
    other = await service.client();
  });

  /** Sends more tests than each workspace may have, and returns the responses of those that are refused. */
  function sendTests(paths: readonly string[], refused: ApiResponse[], body?: object): Promise<ApiResponse>[] {
    return testing.flatMap((api, index) =>
      Array.from({ length: TESTS }, async () => {
        const response = await api.post(paths[index] ?? '', body);
        if (response.status === 429) refused.push(response);
        return response;
      }),
    );
  }

  async function expectPlacesAreFree(): Promise<void> {
    await new Given(other, service.database).contact({});
    for (const api of [other, ...testing]) expect((await api.get('/contacts')).status).toBe(200);
    const active = `SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'outreach' AND state <> 'idle'`;
    await eventually(async () => expect(await service.database.query(active)).toEqual([]));
  }

  function expectBusy(refused: readonly ApiResponse[]): void {
    expect(refused).toHaveLength(WORKSPACES * (TESTS - TESTS_AT_ONCE - TESTS_WAITING));
    for (const { body, headers } of refused) {
      expect(body).toMatchObject({ code: 429, reason: 'busy' });
      expect(headers.get('retry-after')).toMatch(/^\d+$/);
    }
  }

  it('occupy none of the shared places while webhooks are tested', async () => {
    const silent = await WebhookReceiver.start();
    silent.reply = () => 'silence';
    const paths: string[] = [];
    for (const api of testing) {
      const { data } = await api.post('/webhooks', { url: silent.url('/silent'), events: ['contact.created'] });
      paths.push(`/webhooks/${data.id}`);
    }
    const refused: ApiResponse[] = [];
    const tests = sendTests(
      paths.map((path) => `${path}/test`),
      refused,
    );
    await eventually(() => expect(silent.received.length).toBe(WORKSPACES * TESTS_AT_ONCE));
    await eventually(() => expectBusy(refused));
    await expectPlacesAreFree();
    await silent.stop();
    expect(new Set((await Promise.all(tests)).map(({ status }) => status))).toEqual(new Set([200, 429]));
  });

  it('occupy none of the shared places while email accounts are tested', async () => {
    const silent = new SilentServer();
    const port = await silent.listen();
    const paths: string[] = [];
    for (const api of testing) {
      const smtp = { smtp_host: '127.0.0.91', smtp_port: port, smtp_username: 'u', smtp_password: 'p' };
      const sender = { name: 'Silent', type: 'smtp', from_email: 'a@sender.example', from_name: 'A' };
      paths.push(`/email-accounts/${(await api.post('/email-accounts', { ...sender, ...smtp })).data.id}`);
    }
    const refused: ApiResponse[] = [];
    const tests = sendTests(
      paths.map((path) => `${path}/test`),
      refused,
    );
    await eventually(() => expect(silent.sockets.length).toBe(WORKSPACES * TESTS_AT_ONCE));
    await eventually(() => expectBusy(refused));
    await expectPlacesAreFree();
    await silent.stop();
    expect(new Set((await Promise.all(tests)).map(({ status }) => status))).toEqual(new Set([422, 429]));
  });

  it('occupy none of the shared places while steps are sent as tests', async () => {
    const silent = new SilentServer();
    const port = await silent.listen();
    const paths: string[] = [];
    for (const api of testing) {
      const smtp = { smtp_host: '127.0.0.91', smtp_port: port, smtp_username: 'u', smtp_password: 'p' };
      const sender = { name: 'Silent', type: 'smtp', from_email: 'a@sender.example', from_name: 'A' };
      await api.post('/email-accounts', { ...sender, ...smtp });
      const { id } = await new Given(api, service.database).campaign();
      paths.push(`/campaigns/${id}/steps/${(await api.get(`/campaigns/${id}/steps`)).data[0].id}`);
    }
    const refused: ApiResponse[] = [];
    const tests = sendTests(
      paths.map((path) => `${path}/test-send`),
      refused,
      { to: 'author@example.com' },
    );
    await eventually(() => expect(silent.sockets.length).toBe(WORKSPACES * TESTS_AT_ONCE));
    await eventually(() => expectBusy(refused));
    await expectPlacesAreFree();
    await silent.stop();
    const responses = await Promise.all(tests);
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200, 429]));
    expect(responses.some(({ data }) => data?.success === true)).toBe(false);
  });
});
