import { createPrivateKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import type { ApiClient } from '../support/api-client.js';
import { dkimPair, type DkimPair, verifySignatures } from '../support/dkim.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { useService } from '../support/service.js';

const RSA = dkimPair(2_048);
const ED25519 = dkimPair();
const dkim = (key: DkimPair = RSA, changes: object = {}) => ({
  dkim_domain: 'sender.example',
  dkim_selector: 's1',
  dkim_private_key: key.pem,
  ...changes,
});
const NONE = { dkim_domain: null, dkim_selector: null, dkim_private_key: null };
const pemOf = (type: 'ec' | 'rsa' | 'rsa-pss', options: object) =>
  generateKeyPairSync(type as 'rsa', options as { modulusLength: number })
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString();

/** An RSA key with other numbers than its own. */
function rsaWith(numbers: Readonly<Record<string, Buffer>>): string {
  const changes = Object.entries(numbers).map(([name, bytes]) => [name, bytes.toString('base64url')] as const);
  const key = { ...createPrivateKey(RSA.pem).export({ format: 'jwk' }), ...Object.fromEntries(changes) };
  return createPrivateKey({ format: 'jwk', key }).export({ type: 'pkcs8', format: 'pem' }).toString();
}

describe('DKIM', () => {
  const service = useService({ ROLE: 'all' });
  let sink: MailSink;
  let api: ApiClient;
  let given: Given;

  beforeAll(async () => {
    sink = await MailSink.start();
  });
  afterAll(() => sink.stop());
  beforeEach(async () => {
    api = await service.client();
    given = new Given(api, service.database);
  });

  /** The messages of a campaign to one new contact. */
  const received = async (fields: object = {}): Promise<string[]> => {
    const { id, email } = await given.contact();
    await given.running([id], fields);
    await eventually(() => expect(sink.to(email)).toHaveLength(1));
    return sink.to(email).map(({ raw }) => raw);
  };
  const signaturesOf = (raw: string | undefined, key: DkimPair, name = 's1._domainkey.sender.example') =>
    verifySignatures(raw ?? '', { [name]: key.record });
  const errorsOf = (response: { status: number; body: { errors?: object } }) => [
    response.status,
    Object.keys(response.body.errors ?? {}).sort(),
  ];
  const account = { name: 'M', from_name: 'M', from_email: 'sales@sender.example' };
  const smtp = (fields: object) => ({ ...account, type: 'smtp', ...sink.account, ...fields });

  it.each([
    ['RSA', 'rsa-sha256', RSA],
    ['Ed25519', 'ed25519-sha256', ED25519],
  ])('signs messages with %s, the headers for unsubscribing included', async (_, algorithm, key) => {
    await given.mailbox(sink, dkim(key));
    const [raw] = await received();
    expect(await signaturesOf(raw, key)).toEqual([
      {
        result: 'pass',
        domain: 'sender.example',
        algorithm,
        headers: expect.arrayContaining([
          ...['from', 'to', 'subject', 'date', 'message-id', 'mime-version', 'content-type'],
          ...['list-unsubscribe', 'list-unsubscribe-post'],
        ]),
      },
    ]);
  });

  it('signs large messages, which threads encode', async () => {
    await given.mailbox(sink, dkim(ED25519));
    const body = `<p>Grüße an {{ first_name }}</p>${'<p>Ein Absatz  mit Wörtern.</p>\n'.repeat(3_000)}`;
    const [raw] = await received({ steps: [{ subject: 'Grüße', body }] });
    expect(raw?.length).toBeGreaterThan(90_000);
    expect(await signaturesOf(raw, ED25519)).toMatchObject([{ result: 'pass' }]);
  });

  it('signs replies within a thread with their references', async () => {
    await given.mailbox(sink, dkim());
    const { id, email } = await given.contact();
    const steps = [
      { subject: 'One', body: '<p>One</p>' },
      { subject: 'Two', body: '<p>Two</p>', delay_minutes: 1, same_thread: true },
    ];
    const campaign = await given.running([id], { steps });
    await eventually(async () => {
      expect((await api.get(`/campaigns/${campaign.id}/messages`)).data).toMatchObject([{ status: 'sent' }]);
    });
    service.clocks.advance(api.workspaceId, { minutes: 2 });
    await eventually(() => expect(sink.to(email)).toHaveLength(2));
    expect(await signaturesOf(sink.to(email)[1]?.raw, RSA)).toMatchObject([
      { result: 'pass', headers: expect.arrayContaining(['in-reply-to', 'references']) },
    ]);
  });

  it('uses a new key for the next message, and none after null', async () => {
    const { id } = await given.mailbox(sink, dkim());
    const [first] = await received();
    expect(await signaturesOf(first, RSA)).toMatchObject([{ result: 'pass' }]);
    const changes = { dkim_selector: 's2', dkim_private_key: ED25519.pem };
    expect((await api.put(`/email-accounts/${id}`, changes)).data).toMatchObject({
      dkim_domain: 'sender.example',
      dkim_selector: 's2',
    });
    const [second] = await received();
    expect(await signaturesOf(second, ED25519, 's2._domainkey.sender.example')).toMatchObject([{ result: 'pass' }]);
    await api.put(`/email-accounts/${id}`, { dkim_selector: null });
    const [third] = await received();
    expect(third).not.toMatch(/DKIM-Signature/i);
  });

  it('takes PKCS#1 and a domain above that of the sender, and shows no key', async () => {
    const from_email = 'sales@mail.sender.example';
    const changes = { from_email, ...dkim(RSA, { dkim_domain: 'Sender.Example', dkim_private_key: RSA.pkcs1 }) };
    const { status, data } = await api.post('/email-accounts', smtp(changes));
    expect([status, data]).toEqual([
      201,
      expect.objectContaining({ dkim_domain: 'sender.example', dkim_selector: 's1' }),
    ]);
    expect(JSON.stringify(data)).not.toContain('PRIVATE');
    expect(data).not.toHaveProperty('dkim_private_key');
    const [row] = await service.database.query('SELECT * FROM email_accounts WHERE id = $1', [data.id]);
    expect(row?.dkim_private_key_encrypted).toMatch(/^v1\./);
    expect(JSON.stringify(row)).not.toContain('PRIVATE');
  });

  it.each([
    ['dkim_domain', { dkim_domain: 'other.example' }],
    ['dkim_domain', { dkim_domain: 'mail.sender.example' }],
    ['dkim_domain', { dkim_domain: 'example' }],
    ['dkim_domain', { dkim_domain: '127.0.0.1' }],
    ['dkim_domain', { dkim_domain: 'sender example' }],
    ['dkim_domain', { dkim_domain: 7 }],
    ['dkim_domain', { dkim_domain: null }],
    ['dkim_selector', { dkim_selector: 'a b' }],
    ['dkim_selector', { dkim_selector: '-a' }],
    ['dkim_selector', { dkim_selector: 'a; d=evil.example' }],
    ['dkim_selector', { dkim_selector: 'x'.repeat(101) }],
    ['dkim_selector', { dkim_selector: undefined }],
    ['dkim_private_key', { dkim_private_key: undefined }],
    ['dkim_private_key', { dkim_private_key: null }],
    ['dkim_private_key', { dkim_private_key: 'secret' }],
    ['dkim_private_key', { dkim_private_key: pemOf('rsa', { modulusLength: 512 }) }],
    ['dkim_private_key', { dkim_private_key: pemOf('rsa-pss', { modulusLength: 2_048 }) }],
    ['dkim_private_key', { dkim_private_key: pemOf('ec', { namedCurve: 'P-256' }) }],
    ['dkim_private_key', { dkim_private_key: RSA.pem.replace(/[A-Z](?=\n)/, '!') }],
    ['dkim_private_key', { dkim_private_key: `${RSA.pem}\n${ED25519.pem}x` }],
    ['dkim_private_key', { dkim_private_key: [RSA.pem] }],
    // Reading or using these keys would take seconds.
    ['dkim_private_key', { dkim_private_key: rsaWith({ p: randomBytes(1_600), q: randomBytes(1_600) }) }],
    // The numbers of this one contradict one another.
    ['dkim_private_key', { dkim_private_key: rsaWith({ n: randomBytes(256).fill(0xff, 0, 1) }) }],
  ])('returns 422 for %s, case %#', async (field, changes) => {
    expect(errorsOf(await api.post('/email-accounts', smtp(dkim(RSA, changes))))).toEqual([422, [field]]);
    const { id } = await given.mailbox(sink);
    expect(errorsOf(await api.put(`/email-accounts/${id}`, dkim(RSA, changes)))).toEqual([422, [field]]);
  });

  it('returns 422 for one of the three without the others', async () => {
    const expected = [422, ['dkim_private_key', 'dkim_selector']];
    expect(errorsOf(await api.post('/email-accounts', smtp({ dkim_domain: 'sender.example' })))).toEqual(expected);
    const { id } = await given.mailbox(sink);
    expect(errorsOf(await api.put(`/email-accounts/${id}`, { dkim_domain: 'sender.example' }))).toEqual(expected);
    expect((await api.put(`/email-accounts/${id}`, NONE)).status).toBe(200);
    expect((await api.post('/email-accounts', smtp(NONE))).status).toBe(201);
  });

  it('returns 422 for another sender as long as its messages are signed for a domain', async () => {
    const { id } = await given.mailbox(sink, dkim());
    const from_email = 'sales@other.example';
    expect(errorsOf(await api.put(`/email-accounts/${id}`, { from_email }))).toEqual([422, ['from_email']]);
    const updated = await api.put(`/email-accounts/${id}`, { from_email, dkim_domain: 'other.example' });
    expect(updated.data).toMatchObject({ from_email, dkim_domain: 'other.example', dkim_selector: 's1' });
    expect((await api.put(`/email-accounts/${id}`, { from_email: 'a@b.example', ...NONE })).data).toMatchObject({
      from_email: 'a@b.example',
      dkim_domain: null,
      dkim_selector: null,
    });
  });

  it('returns 422 for an account of SendGrid, which signs itself', async () => {
    const sendgrid = { ...account, type: 'sendgrid', sendgrid_api_key: 'SG.key' };
    expect(errorsOf(await api.post('/email-accounts', { ...sendgrid, ...dkim() }))).toEqual([
      422,
      ['dkim_domain', 'dkim_private_key', 'dkim_selector'],
    ]);
    expect((await api.post('/email-accounts', { ...sendgrid, ...NONE })).status).toBe(201);
  });

  it('keeps public suffixes from being signed for', async () => {
    const changes = { from_email: 'a@shop.co.uk', ...dkim(RSA, { dkim_domain: 'co.uk' }) };
    expect(errorsOf(await api.post('/email-accounts', smtp(changes)))).toEqual([422, ['dkim_domain']]);
  });
});
