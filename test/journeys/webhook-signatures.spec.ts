import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { EgressPolicy, HttpsClient } from '@outreach/egress';
import { signedHeaders } from '@outreach/webhook-delivery';
import { freePort } from '../support/command-line.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { useService } from '../support/service.js';
import { type WebhookRequest, runSnippet, type SnippetResult } from '../support/snippet-runner.js';
import { trustReceivers, WebhookReceiver } from '../support/webhook-receiver.js';

/** `npm run test:snippets` sets all languages. */
const LANGUAGES = (process.env.TEST_SNIPPETS ?? 'node').split(',');

const VALID: SnippetResult = { verify: true, verify_body: true };
const REFUSED: SnippetResult = { verify: false, verify_body: false };
/** `X-Service-Signature` covers the body only, so it stays valid. */
const ONLY_BODY_SIGNATURE: SnippetResult = { verify: false, verify_body: true };
const WRONG_STANDARD_SIGNATURE = ONLY_BODY_SIGNATURE;
const WRONG_SERVICE_SIGNATURE: SnippetResult = { verify: true, verify_body: false };

const MINUTE = 60;

const header = (request: WebhookRequest, name: string): string => request.headers[name] ?? '';

const without = ({ headers, ...request }: WebhookRequest, ...names: string[]): WebhookRequest => ({
  ...request,
  headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name))),
});

const withHeaders = (request: WebhookRequest, headers: Record<string, string>): WebhookRequest => ({
  ...request,
  headers: { ...request.headers, ...headers },
});

/** Signs the same delivery with another time. */
function signedAt(request: WebhookRequest, seconds: number): WebhookRequest {
  const attempt = {
    url: '',
    secret: request.secret,
    event: header(request, 'x-service-event'),
    body: request.body.toString('utf8'),
    delivery_id: header(request, 'x-service-delivery'),
    attempt: 1,
  };
  return { ...request, headers: signedHeaders(attempt, Math.floor(Date.now() / 1000) + seconds) };
}

/** Changes of a delivery, and the expected results of the snippets. */
const REQUESTS: readonly [string, SnippetResult, (delivered: WebhookRequest) => WebhookRequest][] = [
  ['an unchanged delivery', VALID, (request) => request],
  ['a delivery signed two minutes ago', VALID, (request) => signedAt(request, -2 * MINUTE)],
  ['a delivery signed ten minutes ago', ONLY_BODY_SIGNATURE, (request) => signedAt(request, -10 * MINUTE)],
  ['a delivery signed ten minutes ahead', ONLY_BODY_SIGNATURE, (request) => signedAt(request, 10 * MINUTE)],
  [
    'an old delivery with a new timestamp',
    ONLY_BODY_SIGNATURE,
    (request) =>
      withHeaders(signedAt(request, -10 * MINUTE), {
        'webhook-timestamp': header(request, 'webhook-timestamp'),
      }),
  ],
  [
    'a timestamp that is not a number',
    ONLY_BODY_SIGNATURE,
    (request) => withHeaders(request, { 'webhook-timestamp': 'now' }),
  ],
  [
    'a timestamp that is too large',
    ONLY_BODY_SIGNATURE,
    (request) => withHeaders(request, { 'webhook-timestamp': '9'.repeat(30) }),
  ],
  ['a missing timestamp', ONLY_BODY_SIGNATURE, (request) => without(request, 'webhook-timestamp')],
  [
    'another ID',
    ONLY_BODY_SIGNATURE,
    (request) => withHeaders(request, { 'webhook-id': '01890a5d-ac96-774b-bcce-b302099a8057' }),
  ],
  [
    'a changed body',
    REFUSED,
    (request) => ({ ...request, body: Buffer.from(request.body.toString('utf8').replace('Zoë', 'Zoe')) }),
  ],
  ['a longer body', REFUSED, (request) => ({ ...request, body: Buffer.concat([request.body, Buffer.from('\n')]) })],
  ['an empty body', REFUSED, (request) => ({ ...request, body: Buffer.alloc(0) })],
  [
    'a delivery signed with another secret',
    REFUSED,
    (request) => ({ ...request, secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}` }),
  ],
  [
    'a changed webhook-signature',
    WRONG_STANDARD_SIGNATURE,
    (request) => withHeaders(request, { 'webhook-signature': flipped(header(request, 'webhook-signature'), 10) }),
  ],
  [
    'a changed X-Service-Signature',
    WRONG_SERVICE_SIGNATURE,
    (request) => withHeaders(request, { 'x-service-signature': flipped(header(request, 'x-service-signature'), 0) }),
  ],
  [
    'truncated signatures',
    REFUSED,
    (request) =>
      withHeaders(request, {
        'webhook-signature': header(request, 'webhook-signature').slice(0, -1),
        'x-service-signature': header(request, 'x-service-signature').slice(0, -1),
      }),
  ],
  [
    'signatures with characters outside ASCII',
    REFUSED,
    (request) => withHeaders(request, { 'webhook-signature': 'v1,é', 'x-service-signature': 'é'.repeat(64) }),
  ],
  ['missing signatures', REFUSED, (request) => without(request, 'webhook-signature', 'x-service-signature')],
  [
    'empty signatures',
    REFUSED,
    (request) => withHeaders(request, { 'webhook-signature': '', 'x-service-signature': '' }),
  ],
  [
    'several signatures, one of them valid',
    VALID,
    (request) =>
      withHeaders(request, { 'webhook-signature': `v1,AAAA v2,BBBB ${header(request, 'webhook-signature')}` }),
  ],
];

/** Changes one character to another one that is valid in base64 and in hexadecimal. */
const flipped = (signature: string, index: number): string =>
  signature.slice(0, index) + (signature[index] === 'a' ? 'b' : 'a') + signature.slice(index + 1);

trustReceivers();
const service = useService();
beforeAll(async () => {
  await service.startWorker();
});

describe('a signed delivery', () => {
  let receiver: WebhookReceiver;
  let requests: WebhookRequest[];

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    const api = await service.client();
    const { body } = await api.post('/webhooks', { url: receiver.url(), events: ['contact.created'] });
    await new Given(api, service.database).contact({ first_name: 'Zoë “Z”' });
    const request = await eventually(() => {
      expect(receiver.received).toHaveLength(1);
      return receiver.received[0];
    });
    const delivered = { secret: body.data.secret, body: request?.raw, headers: request?.headers } as WebhookRequest;
    requests = REQUESTS.map(([, , change]) => change(delivered));
  });
  afterAll(() => receiver.stop());

  describe.each(LANGUAGES)('verified by the %s snippet', (language) => {
    let results: SnippetResult[];

    // The first run compiles Go's standard library.
    beforeAll(async () => {
      results = await runSnippet(language, requests);
    });

    it.each(REQUESTS.map(([request, expected], index) => ({ request, expected, index })))(
      '$request',
      ({ expected, index }) => {
        expect(results[index]).toEqual(expected);
      },
    );
  });
});

describe('examples/webhooks/receiver.mjs', () => {
  const client = new HttpsClient({ policy: new EgressPolicy(['127.0.0.0/8']) });
  let program: ChildProcess | undefined;
  let shown = '';

  afterEach(async () => {
    client.close();
    if (program?.kill()) await once(program, 'exit');
  });

  function start(secret: string, port: string): ChildProcess {
    const certificate = ['server.pem', 'server.key'].map((file) => join(import.meta.dirname, '../support/tls', file));
    const started = spawn(process.execPath, ['examples/webhooks/receiver.mjs', ...certificate], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { WEBHOOK_SECRET: secret, PORT: port },
    });
    started.stdout.setEncoding('utf8').on('data', (text: string) => (shown += text));
    return started;
  }

  it('processes each valid delivery once, and responds with 401 to others', async () => {
    const api = await service.client();
    const port = await freePort();
    const url = `https://127.0.0.1:${port}/hook`;
    const { body } = await api.post('/webhooks', { url, events: ['contact.created'] });
    const { id, secret } = body.data;
    program = start(secret, port);
    await eventually(() => expect(shown).toMatch(/^receiving webhooks/));
    expect((await api.post(`/webhooks/${id}/test`)).body).toMatchObject({ success: true, status_code: 204 });
    await new Given(api, service.database).contact({ first_name: 'Zoë “Z”' });
    await eventually(() => expect(shown).toMatch(/^\S+ contact\.created .*Zoë “Z”/m));

    const request = { url, secret, event: 'email.sent', body: '{"event":"email.sent","data":{}}', attempt: 1 };
    const headers = signedHeaders({ ...request, delivery_id: randomUUID() }, Math.floor(Date.now() / 1000));
    const post = (sent: string) => client.post(new URL(url), { headers, body: Buffer.from(sent) });
    expect(await post(request.body)).toMatchObject({ status: 204 });
    expect(await post(request.body)).toMatchObject({ status: 204 });
    expect(await post(`${request.body} `)).toMatchObject({ status: 401 });
    program.kill();
    await once(program, 'close');
    expect(shown.trim().split('\n')).toEqual([
      expect.stringMatching('receiving'),
      expect.stringMatching(' webhook.test '),
      expect.stringMatching(' contact.created '),
      expect.stringMatching(' email.sent '),
    ]);
  });
});
