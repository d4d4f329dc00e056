import { signedHeaders } from '@outreach/webhook-delivery';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { useService } from '../support/service.js';
import { type ReceivedWebhook, trustReceivers, WebhookReceiver } from '../support/webhook-receiver.js';
import { loadClient } from './client-package.js';

trustReceivers();
const service = useService();
let outreach: any;
let receiver: WebhookReceiver;
let delivered: ReceivedWebhook;
let secret: string;

const OTHER_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

beforeAll(async () => {
  outreach = await loadClient();
  await service.startWorker();
  receiver = await WebhookReceiver.start();
  const api = await service.client();
  const client = outreach.createClient({ baseUrl: service.url, token: api.token });
  const body = { url: receiver.url(), events: ['contact.created'] };
  ({ secret } = (await outreach.unwrap(client.POST('/v1/webhooks', { body }))).data);
  await new Given(api, service.database).contact({ first_name: 'Zoë “Z”' });
  delivered = await eventually(() => {
    const [request] = receiver.received;
    if (!request) throw new Error('No delivery yet.');
    return request;
  });
});
afterAll(() => receiver.stop());

/** Verifies the delivery with changes. */
const verify = (changes: object = {}) =>
  outreach.verifyWebhook({ secret, headers: delivered.headers, body: delivered.raw, ...changes });

/** The headers of the delivery as if it were signed at another time. */
const signedAt = (seconds: number) =>
  signedHeaders(
    { url: '', secret, event: 'contact.created', body: delivered.raw.toString('utf8'), delivery_id: 'id', attempt: 1 },
    Math.floor(Date.now() / 1000) + seconds,
  );

describe('a delivery of the service', () => {
  const valid: [string, () => object][] = [
    ['as it was received', () => ({})],
    ['with the body as a string', () => ({ body: delivered.raw.toString('utf8') })],
    ['with the body as an ArrayBuffer', () => ({ body: Uint8Array.from(delivered.raw).buffer })],
    ['with the headers of fetch', () => ({ headers: new Headers(delivered.headers as Record<string, string>) })],
    [
      'with header names in upper case',
      () => ({ headers: Object.fromEntries(Object.entries(delivered.headers).map(([n, v]) => [n.toUpperCase(), v])) }),
    ],
    ['with two secrets while one replaces the other', () => ({ secret: [OTHER_SECRET, secret] })],
    [
      'with several signatures',
      () => ({
        headers: {
          ...delivered.headers,
          'webhook-signature': `v1,AAAA v2,BB ${String(delivered.headers['webhook-signature'])}`,
        },
      }),
    ],
    ['that was signed four minutes ago', () => ({ headers: signedAt(-240) })],
    ['that is as old as the receiver tolerates', () => ({ headers: signedAt(-3_000), toleranceSeconds: 3_600 })],
  ];

  it.each(valid)('is verified %s', async (_, changes) => {
    const event = await verify(changes());
    expect(event).toMatchObject({ event: 'contact.created', data: { first_name: 'Zoë “Z”' } });
  });

  const refused: [string, string, () => object][] = [
    ['with another secret', 'wrong_signature', () => ({ secret: OTHER_SECRET })],
    ['without a secret', 'wrong_signature', () => ({ secret: [] })],
    ['with one byte more', 'wrong_signature', () => ({ body: Buffer.concat([delivered.raw, Buffer.from(' ')]) })],
    ['with another ID', 'wrong_signature', () => ({ headers: { ...delivered.headers, 'webhook-id': 'x' } })],
    [
      'with a signature that is not base64',
      'wrong_signature',
      () => ({ headers: { ...delivered.headers, 'webhook-signature': 'v1,*** v1, v1' } }),
    ],
    [
      'with a signature of another version',
      'wrong_signature',
      () => ({
        headers: {
          ...delivered.headers,
          'webhook-signature': String(delivered.headers['webhook-signature']).replace('v1', 'v2'),
        },
      }),
    ],
    [
      'with another time',
      'wrong_signature',
      () => ({
        headers: {
          ...delivered.headers,
          'webhook-timestamp': String(Number(delivered.headers['webhook-timestamp']) - 1),
        },
      }),
    ],
    ['that was signed ten minutes ago', 'too_old', () => ({ headers: signedAt(-600) })],
    ['that was signed ten minutes ahead', 'too_new', () => ({ headers: signedAt(600) })],
    [
      'with a time that is no number',
      'invalid_timestamp',
      () => ({ headers: { ...delivered.headers, 'webhook-timestamp': '1e9' } }),
    ],
    [
      'without a signature',
      'missing_header',
      () => ({ headers: { ...delivered.headers, 'webhook-signature': undefined } }),
    ],
    ['without any header', 'missing_header', () => ({ headers: {} })],
  ];

  it.each(refused)('is refused %s (%s)', async (_, reason, changes) => {
    await expect(verify(changes())).rejects.toMatchObject({ name: 'WebhookVerificationError', reason });
  });

  it.each(['', 'whsec_', 'secret', 'whsec_***'])('throws a TypeError if the secret is "%s"', async (wrong) => {
    await expect(verify({ secret: wrong })).rejects.toThrow(TypeError);
  });
});

describe('the package', () => {
  it('has the version of the API', async () => {
    const { default: packageJson } = await import('../../clients/typescript/package.json', { with: { type: 'json' } });
    const response = await fetch(`${service.url}/openapi.json`);
    const { info } = (await response.json()) as { info: { version: string } };
    expect(packageJson.version).toMatch(new RegExp(`^${info.version}\\.`));
    expect(outreach.API_VERSION).toBe(info.version);
  });
});
