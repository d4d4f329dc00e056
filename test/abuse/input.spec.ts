import { type ApiClient, type ApiResponse, parseResponse } from '../support/api-client.js';
import { useService } from '../support/service.js';
import { maxStallOf } from './event-loop.js';

/** How much longer than ordinary input of the same size an attack may occupy the event loop. */
const MAX_STALL_RATIO = 20;
const ROUNDS = 3;
/** Bytes of a mail. */
const SIZE = 2_000_000;

describe('the input of one request', () => {
  const service = useService({ LOG_LEVEL: 'fatal' });
  let api: ApiClient;
  beforeAll(async () => {
    api = await service.client();
  });

  /** The longest stall of several rounds of a request, after a first one that compiles the code. */
  const stallOf = async (request: () => Promise<unknown>): Promise<number> => {
    await request();
    return maxStallOf(async () => {
      for (let round = 0; round < ROUNDS; round += 1) await request();
    });
  };

  const report = async (mail: string): Promise<ApiResponse> => {
    const { key } = (await api.get('/inbound')).data as { key: string };
    const init = { method: 'POST', headers: { 'content-type': 'message/rfc822' }, body: mail };
    return parseResponse(await fetch(`${service.url}/inbound/mail/${key}`, init));
  };

  it('does not occupy the process with a report of very many parts longer than with a plain mail of its size', async () => {
    const head = 'From: a@example.com\r\nTo: b@example.com\r\nMIME-Version: 1.0\r\n';
    const status = 'Final-Recipient: rfc822; a@example.com\r\nAction: failed\r\nStatus: 5.1.1\r\n';
    const part = `--b\r\nContent-Type: message/delivery-status\r\n\r\n${status}\r\n`;
    const type = 'Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n';
    const parts = `${head}${type}${part.repeat(SIZE / part.length)}--b--\r\n`;
    const plain = `${head}Content-Type: text/plain\r\n\r\n${'xxxxxxxx\r\n'.repeat(SIZE / 10)}`;
    expect((await report(parts)).status).toBeLessThan(500);
    const [attack, ordinary] = [await stallOf(() => report(parts)), await stallOf(() => report(plain))];
    expect(attack / ordinary).toBeLessThan(MAX_STALL_RATIO);
  });

  it('does not occupy the process with a mail of very many levels longer than with a plain mail of its size', async () => {
    const level = (_: unknown, n: number) => `Content-Type: multipart/mixed; boundary=b${n}\r\n\r\n--b${n}\r\n`;
    const nested = `From: a@example.com\r\n${Array.from({ length: SIZE / 60 }, level).join('')}`;
    const plain = `From: a@example.com\r\n\r\n${'xxxxxxxx\r\n'.repeat(nested.length / 10)}`;
    expect((await report(nested)).status).toBeLessThan(500);
    const [attack, ordinary] = [await stallOf(() => report(nested)), await stallOf(() => report(plain))];
    expect(attack / ordinary).toBeLessThan(MAX_STALL_RATIO);
  });

  it('gets 422 for a day that does not exist', async () => {
    const hook = await api.post('/webhooks', { url: 'https://127.0.0.1:44443/', events: ['contact.created'] });
    const logs = (day: string) => api.get(`/webhooks/${hook.data.id}/logs?created_from=${day}`);
    const token = (day: string) =>
      api.post('/tokens', { name: 'x', permissions: ['contacts:read'], expires_at: `${day}T00:00:00Z` });
    expect([(await logs('2096-02-29')).status, (await token('2096-02-29')).status]).toEqual([200, 201]);
    for (const day of ['2097-02-29', '2096-02-30', '2096-04-31', '2096-13-01', '2096-00-00']) {
      const replies = [await logs(day), await token(day)];
      const found = replies.map(({ status, body }) => [status, Object.keys(body.errors as object)]);
      expect([day, found]).toEqual([
        day,
        [
          [422, ['created_from']],
          [422, ['expires_at']],
        ],
      ]);
    }
  });
});
