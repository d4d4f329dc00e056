import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { EgressPolicy, HttpsClient } from '../../src/platform/egress/index.js';
import { signedHeaders } from '../../src/webhooks/delivery/signed-headers.js';
import { freePort } from '../support/command-line.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { startService, type TestService } from '../support/service.js';
import { type Claim, runSnippet, type SnippetResult } from '../support/snippet-runner.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';

/** `npm run test:snippets` names the others, too. */
const LANGUAGES = (process.env.TEST_SNIPPETS ?? 'node').split(',');

const VALID: SnippetResult = { verify: true, verify_body: true };
const REFUSED: SnippetResult = { verify: false, verify_body: false };
/** `X-Service-Signature` holds for the body alone. */
const OLD_OR_MOVED: SnippetResult = { verify: false, verify_body: true };
const WRONG_STANDARD_SIGNATURE = OLD_OR_MOVED;
const WRONG_SERVICE_SIGNATURE: SnippetResult = { verify: true, verify_body: false };

const MINUTE = 60;

const header = (claim: Claim, name: string): string => claim.headers[name] ?? '';

const without = ({ headers, ...claim }: Claim, ...names: string[]): Claim => ({
  ...claim,
  headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name))),
});

const saying = (claim: Claim, headers: Record<string, string>): Claim => ({
  ...claim,
  headers: { ...claim.headers, ...headers },
});

/** The same delivery as the service would have signed it at another time. */
function signedAt(claim: Claim, seconds: number): Claim {
  const request = {
    url: '',
    secret: claim.secret,
    event: header(claim, 'x-service-event'),
    body: claim.body.toString('utf8'),
    delivery_id: header(claim, 'x-service-delivery'),
    attempt: 1,
  };
  return { ...claim, headers: signedHeaders(request, Math.floor(Date.now() / 1000) + seconds) };
}

/** What is made of a delivery, and what a receiver must think of it. */
const CLAIMS: readonly [string, SnippetResult, (delivered: Claim) => Claim][] = [
  ['what the service has sent', VALID, (claim) => claim],
  ['what it has sent two minutes ago', VALID, (claim) => signedAt(claim, -2 * MINUTE)],
  ['an old delivery', OLD_OR_MOVED, (claim) => signedAt(claim, -10 * MINUTE)],
  ['one from the future', OLD_OR_MOVED, (claim) => signedAt(claim, 10 * MINUTE)],
  [
    'an old one with a new date',
    OLD_OR_MOVED,
    (claim) =>
      saying(signedAt(claim, -10 * MINUTE), {
        'webhook-timestamp': header(claim, 'webhook-timestamp'),
      }),
  ],
  ['one with a word for its date', OLD_OR_MOVED, (claim) => saying(claim, { 'webhook-timestamp': 'now' })],
  [
    'one with a date that no clock reaches',
    OLD_OR_MOVED,
    (claim) => saying(claim, { 'webhook-timestamp': '9'.repeat(30) }),
  ],
  ['one without a date', OLD_OR_MOVED, (claim) => without(claim, 'webhook-timestamp')],
  [
    'one under another ID',
    OLD_OR_MOVED,
    (claim) => saying(claim, { 'webhook-id': '01890a5d-ac96-774b-bcce-b302099a8057' }),
  ],
  [
    'a changed body',
    REFUSED,
    (claim) => ({ ...claim, body: Buffer.from(claim.body.toString('utf8').replace('Zoë', 'Zoe')) }),
  ],
  ['a longer body', REFUSED, (claim) => ({ ...claim, body: Buffer.concat([claim.body, Buffer.from('\n')]) })],
  ['no body', REFUSED, (claim) => ({ ...claim, body: Buffer.alloc(0) })],
  [
    'one of another webhook',
    REFUSED,
    (claim) => ({ ...claim, secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}` }),
  ],
  [
    'a changed signature',
    WRONG_STANDARD_SIGNATURE,
    (claim) => saying(claim, { 'webhook-signature': flipped(header(claim, 'webhook-signature'), 10) }),
  ],
  [
    'another signature for the body',
    WRONG_SERVICE_SIGNATURE,
    (claim) => saying(claim, { 'x-service-signature': flipped(header(claim, 'x-service-signature'), 0) }),
  ],
  [
    'the beginnings of the signatures',
    REFUSED,
    (claim) =>
      saying(claim, {
        'webhook-signature': header(claim, 'webhook-signature').slice(0, -1),
        'x-service-signature': header(claim, 'x-service-signature').slice(0, -1),
      }),
  ],
  [
    'signatures of letters that are not ASCII',
    REFUSED,
    (claim) => saying(claim, { 'webhook-signature': 'v1,é', 'x-service-signature': 'é'.repeat(64) }),
  ],
  ['no signatures', REFUSED, (claim) => without(claim, 'webhook-signature', 'x-service-signature')],
  ['empty signatures', REFUSED, (claim) => saying(claim, { 'webhook-signature': '', 'x-service-signature': '' })],
  [
    'one of several signatures',
    VALID,
    (claim) => saying(claim, { 'webhook-signature': `v1,AAAA v2,BBBB ${header(claim, 'webhook-signature')}` }),
  ],
];

/** With another character at a place; both are base64 and hexadecimal. */
const flipped = (signature: string, place: number): string =>
  signature.slice(0, place) + (signature[place] === 'a' ? 'b' : 'a') + signature.slice(place + 1);

let service: TestService;
beforeAll(async () => {
  service = await startService();
  await service.startWorker();
});
afterAll(() => service.stop());

describe('a signed delivery', () => {
  let receiver: WebhookReceiver;
  let claims: Claim[];

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    const api = await service.client();
    const { body } = await api.post('/webhooks', { url: receiver.url(), events: ['contact.created'] });
    await new Given(api, service.database).contact({ first_name: 'Zoë “Z”' });
    const request = await eventually(() => {
      expect(receiver.received).toHaveLength(1);
      return receiver.received[0];
    });
    const delivered = { secret: body.data.secret, body: request?.raw, headers: request?.headers } as Claim;
    claims = CLAIMS.map(([, , claimed]) => claimed(delivered));
  });
  afterAll(() => receiver.stop());

  describe.each(LANGUAGES)('as the snippet for %s sees it', (language) => {
    let results: SnippetResult[];

    // Go compiles its library first.
    beforeAll(async () => {
      results = await runSnippet(language, claims);
    }, 120_000);

    it.each(CLAIMS.map(([claim, expected], index) => ({ claim, verdict: expected, index })))(
      '$claim',
      ({ verdict: expected, index }) => {
        expect(results[index]).toEqual(expected);
      },
    );
  });
});

describe('the receiver of the examples', () => {
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

  it('takes what the service sends, once, and nothing else', async () => {
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
