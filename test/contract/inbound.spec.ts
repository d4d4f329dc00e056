import { generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import { MessageLinks } from '../../src/sending/index.js';
import { type ApiResponse, parseResponse, type ApiClient } from '../support/api-client.js';
import type { Schema } from '../support/api-schemas.js';
import { httpError } from '../support/expected.js';
import { Given } from '../support/given.js';
import { recordMessageEvents, type PublishedMessageEvent } from '../support/published-events.js';
import { reportedMail } from '../../packages/mail-reading/test/reported-mail.js';
import { useService } from '../support/service.js';

const SENDGRID = {
  name: 'SendGrid',
  type: 'sendgrid',
  from_email: 'sales@sender.example',
  from_name: 'Sales',
  sendgrid_api_key: 'SG.key',
};

/** Returns a key pair like those that SendGrid creates. */
function newKey() {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  return { shown: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'), privateKey };
}
type Key = ReturnType<typeof newKey>;

const now = (): number => Math.floor(Date.now() / 1000);

describe('inbound reports', () => {
  const service = useService();
  let published: PublishedMessageEvent[];
  let api: ApiClient;
  let given: Given;
  let key: Key;
  let addresses: { key: string; sendgrid_url: string; mail_url: string };

  beforeAll(() => {
    published = recordMessageEvents(service);
  });
  beforeEach(async () => {
    api = await service.client();
    given = new Given(api, service.database);
    key = newKey();
    addresses = (await api.get('/inbound')).data;
    await api.post('/email-accounts', { ...SENDGRID, sendgrid_webhook_key: key.shown });
    published.length = 0;
  });

  const local = (url: string): string => url.replace('http://outreach.test', service.url);

  /** Posts events like SendGrid, with a valid signature unless `headers` replace it. */
  async function events(
    list: unknown,
    headers: Record<string, string> = {},
    signedBy = key,
    to = addresses.sendgrid_url,
  ): Promise<ApiResponse> {
    const body = `${JSON.stringify(list)}\r\n`;
    const timestamp = String(now());
    return post(local(to), body, {
      'content-type': 'application/json;charset=utf-8',
      'x-twilio-email-event-webhook-timestamp': timestamp,
      'x-twilio-email-event-webhook-signature': signatureOf(timestamp + body, signedBy),
      ...headers,
    });
  }
  const mail = (raw: Buffer | string, to = addresses.mail_url): Promise<ApiResponse> =>
    post(local(to), raw, { 'content-type': 'message/rfc822' });

  /** Inserts a sent message to a new contact, in a campaign with one step by default. */
  async function sent(fields: object = {}, of = given) {
    const contact = await of.contact();
    const { id, campaign } = await of.sentMessage(contact.id, fields);
    const [row] = await service.database.query<{ enrollment_id: string; step_id: string; workspace_id: string }>(
      'SELECT enrollment_id, step_id, workspace_id FROM messages WHERE id = $1',
      [id],
    );
    const links = service.app.get(MessageLinks, { strict: false });
    const step = { enrollment_id: Number(row?.enrollment_id), step_id: Number(row?.step_id) };
    const message_id = links.messageId(Number(row?.workspace_id), step, 'sales@sender.example');
    await service.database.query('UPDATE messages SET message_id = $2 WHERE id = $1', [id, message_id]);
    return { id, campaign, contact, message_id, about: { message_id, address: contact.email } };
  }
  type Sent = Awaited<ReturnType<typeof sent>>;

  const event = (name: string, { message_id, contact }: Sent, fields: object = {}) => ({
    email: contact.email,
    timestamp: now(),
    event: name,
    sg_event_id: 'ZHJvcC0xMDk5',
    sg_message_id: 'LRzXl_NHStOGhQ4kofSm_A',
    'smtp-id': '<LRzXl_NHStOGhQ4kofSm_A@ismtpd0039p1iad1.sendgrid.net>',
    outreach_message_id: message_id,
    ...fields,
  });

  /** Returns the message, and everything that depends on it, as the API shows it. */
  async function seen({ id, campaign, contact }: Sent) {
    const { data: messages }: { data: Schema<'Message'>[] } = await api.get(`/campaigns/${campaign.id}/messages`);
    const [stored] = await service.database.query<{ delivered_at: Date | null }>(
      'SELECT * FROM all_messages WHERE id = $1',
      [id],
    );
    return {
      message: { ...stored, ...messages.find((each) => each.id === id) },
      others: messages.filter((each) => each.id !== id),
      contact: (await api.get(`/contacts/${contact.id}`)).data.status as string,
      enrollment: (await api.get(`/campaigns/${campaign.id}/contacts/${contact.id}`)).data.status as string,
      blacklist: (await api.post('/blacklist/check', { email: contact.email })).data.reason as string | null,
      stats: (await api.get(`/campaigns/${campaign.id}/stats`)).data.messages,
    };
  }
  const publishedFor = ({ id }: Sent): string[] =>
    published.filter(({ ids }) => ids.includes(id)).map(({ name }) => name);

  describe('GET /inbound', () => {
    it('returns the key and the addresses for SendGrid and for mailboxes', async () => {
      const { status, data } = await api.get('/inbound');
      expect(status).toBe(200);
      expect(data).toEqual({
        key: expect.stringMatching(/^[\w-]{20,}$/),
        sendgrid_url: `http://outreach.test/inbound/sendgrid/${data.key}`,
        mail_url: `http://outreach.test/inbound/mail/${data.key}`,
      });
      expect((await api.get('/inbound')).data).toEqual(data);
      expect((await (await service.client()).get('/inbound')).data.key).not.toBe(data.key);
    });

    it('requires the permission email_accounts:write, because the key is a secret', async () => {
      const [reader, writer] = [
        await service.client(['email_accounts:read']),
        await service.client(['email_accounts:write']),
      ];
      expect([(await reader.get('/inbound')).status, (await reader.post('/inbound/rotate')).status]).toEqual([
        403, 403,
      ]);
      expect([(await writer.get('/inbound')).status, (await writer.post('/inbound/rotate')).status]).toEqual([
        200, 200,
      ]);
    });
  });

  describe('POST /inbound/rotate', () => {
    it('returns a new key, and ends the one before', async () => {
      const { about } = await sent();
      const raw = reportedMail('postfix-dead', about);
      const rotated = await api.post('/inbound/rotate');
      expect(rotated.status).toBe(200);
      expect(Object.keys(rotated.data)).toEqual(['key', 'sendgrid_url', 'mail_url']);
      expect(rotated.data.key).not.toBe(addresses.key);
      expect((await api.get('/inbound')).data).toEqual(rotated.data);
      expect([(await mail(raw)).status, (await events([])).status]).toEqual([404, 404]);
      expect((await mail(raw, rotated.data.mail_url)).data).toEqual({ matched: 1 });
      expect((await events([], {}, key, rotated.data.sendgrid_url)).status).toBe(200);
      const again = await api.post('/inbound/rotate');
      expect((await mail(raw, rotated.data.mail_url)).status).toBe(404);
      expect((await mail(raw, again.data.mail_url)).status).toBe(200);
    });

    it('does not change the keys of other workspaces', async () => {
      await (await service.client()).post('/inbound/rotate');
      expect((await api.get('/inbound')).data).toEqual(addresses);
    });
  });

  describe('sendgrid_webhook_key', () => {
    const create = (fields: object) => api.post('/email-accounts', { ...SENDGRID, ...fields });
    const accepted = async () => (await events([])).status;

    it('can be set, replaced and cleared, and is never returned', async () => {
      const { data } = await create({ sendgrid_webhook_key: newKey().shown });
      expect(Object.keys(data)).not.toContain('sendgrid_webhook_key');
      const own = newKey();
      const put = async (fields: object) => (await api.put(`/email-accounts/${data.id}`, fields)).status;
      const isAccepted = async () => (await events([], {}, own)).status;
      expect([await put({ sendgrid_webhook_key: own.shown }), await isAccepted()]).toEqual([200, 200]);
      expect([await put({ name: 'Other' }), await isAccepted()]).toEqual([200, 200]);
      expect([await put({ sendgrid_webhook_key: null }), await isAccepted()]).toEqual([200, 403]);
      expect([await put({ sendgrid_webhook_key: own.shown }), await isAccepted()]).toEqual([200, 200]);
      expect([await put({ sendgrid_webhook_key: '' }), await isAccepted()]).toEqual([200, 403]);
      expect(await accepted()).toBe(200);
    });

    it.each<[string, unknown]>([
      ['text that is not base64', 'no key'],
      ['base64 that is not a key', 'AAAA'],
      ['a number', 7],
      ['an object', {}],
      ['an array', ['x']],
      ['text that is too long', 'x'.repeat(2000)],
    ])('returns 422 for %s', async (_, value) => {
      const { status, body } = await create({ sendgrid_webhook_key: value });
      expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ['sendgrid_webhook_key']]);
    });

    it('is optional, and ignored for SMTP accounts', async () => {
      expect((await create({})).status).toBe(201);
      expect((await create({ sendgrid_webhook_key: null })).status).toBe(201);
      const smtp = { smtp_host: '127.0.0.1', smtp_port: 2525, smtp_username: 'x', smtp_password: 'x' };
      const made = await create({ ...smtp, type: 'smtp', sendgrid_webhook_key: newKey().shown });
      expect(made.status).toBe(201);
    });
  });

  describe('POST /inbound/sendgrid/{key}', () => {
    it('returns 404 for an invalid key and 403 for a signature of no account of the workspace', async () => {
      const message = await sent();
      const list = [event('delivered', message)];
      const refused = await events(list, {}, newKey());
      expect([refused.status, refused.body]).toEqual([
        403,
        { ...httpError(403, 'invalid_signature'), error: 'Forbidden' },
      ]);
      for (const name of ['signature', 'timestamp']) {
        const header = `x-twilio-email-event-webhook-${name}`;
        expect((await events(list, { [header]: '' })).status).toBe(403);
        expect((await events(list, { [header]: 'x' })).status).toBe(403);
      }
      const none = await post(local(addresses.sendgrid_url), '[]', { 'content-type': 'application/json' });
      expect(none.status).toBe(403);
      const other = (await (await service.client()).get('/inbound')).data;
      expect((await events([], {}, key, other.sendgrid_url)).status).toBe(403);
      for (const unknown of ['x', addresses.key.slice(1), `${addresses.key}A`, '%00', '🙂']) {
        const url = `${service.url}/inbound/sendgrid/${unknown}`;
        expect((await post(url, '[]', { 'content-type': 'application/json' })).status).toBe(404);
      }
      expect((await seen(message)).message.status).toBe('sent');
    });

    it('returns 400, 413 or 415 for a body that is not a JSON array of events', async () => {
      const url = local(addresses.sendgrid_url);
      expect((await post(url, '[{', { 'content-type': 'application/json' })).status).toBe(400);
      expect((await post(url, '[]', { 'content-type': 'text/plain' })).status).toBe(415);
      expect((await post(url, `["${'x'.repeat(1_100_000)}"]`, { 'content-type': 'application/json' })).status).toBe(
        413,
      );
      for (const list of [{}, 7, null, 'x']) expect((await events(list)).status).toBe(400);
      expect((await fetch(url)).status).toBe(405);
    });

    it('ignores events of unknown kinds and about unknown messages', async () => {
      const message = await sent();
      const strange = [
        null,
        7,
        [],
        {},
        { event: {} },
        event('processed', message),
        event('deferred', message, { attempt: '5' }),
        event('made_up', message),
        event('delivered', message, { outreach_message_id: 'unknown@sender.example' }),
        event('delivered', message, { outreach_message_id: `x${message.message_id}` }),
        event('delivered', message, { outreach_message_id: '\0@\ud800' }),
        event('delivered', message, { outreach_message_id: { $ne: 1 } }),
      ];
      const { status, data } = await events(strange);
      expect([status, data]).toEqual([200, { matched: 0 }]);
      expect((await seen(message)).message.status).toBe('sent');
      expect(publishedFor(message)).toEqual([]);
    });

    it('records a delivery', async () => {
      const message = await sent();
      const at = now() - 3600;
      const { status, data } = await events([event('delivered', message, { timestamp: at })]);
      expect([status, data]).toEqual([200, { matched: 1 }]);
      const { message: shown, contact, enrollment, stats } = await seen(message);
      expect(shown.status).toBe('delivered');
      expect(shown.delivered_at).toEqual(new Date(at * 1000));
      expect([contact, enrollment, stats.delivered]).toEqual(['active', 'in_progress', 1]);
      expect(published).toMatchObject([{ name: 'email.delivered', payload: { occurred_at: new Date(at * 1000) } }]);
    });

    it('records a hard bounce, fails the enrollment and blacklists the address', async () => {
      const message = await sent();
      await events([event('delivered', message), event('bounce', message, HARD)]);
      expect(await seen(message)).toMatchObject({
        message: { status: 'bounced', reason: HARD.reason, bounced_at: expect.any(String) },
        contact: 'bounced',
        enrollment: 'failed',
        blacklist: 'bounce',
        stats: { bounced: 1, failed: 0 },
      });
      expect(publishedFor(message)).toEqual(['email.delivered', 'email.bounced']);
      const bounce = { type: 'hard', code: '5.1.1', message: HARD.reason };
      expect(published.find(({ name }) => name === 'email.bounced')?.payload.bounce).toEqual(bounce);
    });

    it('records a bounce of an address with a NUL', async () => {
      const message = await sent();
      await events([event('bounce', message, { ...HARD, email: 'a\0b@x.test' })]);
      expect((await seen(message)).message.status).toBe('bounced');
    });

    it('marks the message as bounced after a refusal that is not about the address, and leaves the contact as it is', async () => {
      const message = await sent();
      await events([event('bounce', message, { type: 'blocked', status: '5.7.1', reason: '550 5.7.1 Policy' })]);
      expect(await seen(message)).toMatchObject({
        message: { status: 'bounced', reason: '550 5.7.1 Policy', bounced_at: expect.any(String) },
        contact: 'active',
        enrollment: 'failed',
        blacklist: null,
        stats: { bounced: 1, failed: 0 },
      });
      expect(published.map(({ payload }) => payload.bounce)).toEqual([
        { type: 'soft', code: '5.7.1', message: '550 5.7.1 Policy' },
      ]);
    });

    it('records a complaint and ends all enrollments of the contact', async () => {
      const [message, otherCampaign] = [await sent(), await given.campaign()];
      await api.post(`/campaigns/${otherCampaign.id}/contacts`, { contact_ids: [message.contact.id] });
      await events([event('spamreport', message)]);
      expect(await seen(message)).toMatchObject({
        message: { status: 'complained' },
        contact: 'complained',
        enrollment: 'unsubscribed',
        blacklist: 'complaint',
        stats: { complained: 1 },
      });
      const other = await api.get(`/campaigns/${otherCampaign.id}/contacts/${message.contact.id}`);
      expect(other.data.status).toBe('unsubscribed');
      expect(publishedFor(message)).toEqual(['email.complained']);
    });

    it('records an unsubscribe', async () => {
      const message = await sent();
      await events([event('unsubscribe', message)]);
      expect(await seen(message)).toMatchObject({
        message: { status: 'sent', unsubscribed_at: expect.any(Date) },
        contact: 'unsubscribed',
        enrollment: 'unsubscribed',
        blacklist: null,
        stats: { unsubscribed: 1 },
      });
      expect(publishedFor(message)).toEqual(['contact.unsubscribed']);
    });

    it('leaves a contact complained that unsubscribes after its complaint', async () => {
      const message = await sent();
      await events([event('spamreport', message)]);
      await events([event('unsubscribe', message, { timestamp: now() + 1 })]);
      expect(await seen(message)).toMatchObject({ contact: 'complained', enrollment: 'unsubscribed' });
    });

    it('records opens and clicks', async () => {
      const message = await sent();
      await events([event('click', message, { url: 'https://acme.example/' })]);
      await events([event('open', message), event('open', message, { timestamp: now() + 1 })]);
      const { message: shown, stats } = await seen(message);
      expect(shown).toMatchObject({ status: 'sent', opened_at: expect.any(String), clicked_at: expect.any(String) });
      expect([stats.opened, stats.clicked]).toEqual([1, 1]);
      expect(publishedFor(message)).toEqual(['email.opened', 'email.clicked']);
      expect(published[1]?.payload.url).toBe('https://acme.example/');
    });

    it('shows each open and click once in the activity of the contact, also if it is reported again', async () => {
      const message = await sent();
      const [first, second] = [now() - 20, now() - 10];
      const list = [
        event('open', message, { timestamp: first }),
        event('click', message, { timestamp: second, url: 'https://acme.example/' }),
        event('open', message, { timestamp: second }),
      ];
      await events(list);
      await events(list);
      const { data } = await api.get(`/contacts/${message.contact.id}/activity?type=email.opened,email.clicked`);
      const counted = { counted: true, bot_reason: null };
      const instant = (seconds: number) => new Date(seconds * 1000).toISOString();
      expect(data.map(({ type, occurred_at: at, data: shown }: Record<string, unknown>) => [type, at, shown])).toEqual([
        ['email.clicked', instant(second), { url: 'https://acme.example/', ...counted }],
        ['email.opened', instant(second), counted],
        ['email.opened', instant(first), counted],
      ]);
    });

    it('does not count opens of mail programs that load pixels ahead of time, and shows them', async () => {
      const message = await sent();
      const list = [event('open', message, { sg_machine_open: true }), event('delivered', message)];
      await events(list);
      await events(list);
      const { message: shown, stats } = await seen(message);
      expect([shown.opened_at, stats.opened, shown.bot_opens]).toEqual([null, 0, 1]);
      expect(publishedFor(message)).toEqual(['email.delivered']);
      const { data } = await api.get(`/contacts/${message.contact.id}/activity?type=email.opened`);
      expect(data).toMatchObject([{ data: { counted: false, bot_reason: 'prefetch' } }]);
    });

    it('records no opens and clicks of a contact that refuses to be measured', async () => {
      const message = await sent();
      await api.put(`/contacts/${message.contact.id}`, { tracking_consent: 'refused' });
      const list = [
        event('open', message),
        event('open', message, { sg_machine_open: true }),
        event('click', message, { url: 'https://acme.example/' }),
      ];
      await events(list);
      expect((await seen(message)).message).toMatchObject({ opened_at: null, clicked_at: null, bot_opens: 0 });
      expect(await service.database.query('SELECT 1 FROM tracking_events WHERE message_id = $1', [message.id])).toEqual(
        [],
      );
    });

    it('changes nothing if events are repeated in any order', async () => {
      const message = await sent();
      const list = [
        event('delivered', message),
        event('open', message),
        event('click', message, { url: 'https://acme.example/' }),
        event('unsubscribe', message),
        event('bounce', message, HARD),
        event('spamreport', message),
      ];
      await events(list);
      expect((await seen(message)).contact).toBe('complained');
      const [before, eventCount] = [await seen(message), published.length];
      await events(list);
      await Promise.all([events(list.toReversed()), events(list)]);
      expect(await seen(message)).toEqual(before);
      expect(published).toHaveLength(eventCount);
    });

    it('does not unsubscribe a resubscribed contact because of an older event', async () => {
      const message = await sent();
      const old = event('unsubscribe', message, { timestamp: now() - 60 });
      await events([old]);
      await api.post(`/contacts/${message.contact.id}/resubscribe`);
      await events([old]);
      expect((await seen(message)).contact).toBe('active');
      await events([event('unsubscribe', message)]);
      expect((await seen(message)).contact).toBe('unsubscribed');
    });

    it('ignores messages of other workspaces', async () => {
      const other = await service.client();
      const theirs = await sent({}, new Given(other, service.database));
      const { data } = await events(['delivered', 'bounce', 'spamreport'].map((name) => event(name, theirs, HARD)));
      expect(data).toEqual({ matched: 0 });
      const shown = (await other.get(`/campaigns/${theirs.campaign.id}/messages`)).data;
      expect(shown).toMatchObject([{ status: 'sent' }]);
      expect((await other.get(`/contacts/${theirs.contact.id}`)).data.status).toBe('active');
    });

    it('records many events in one request', async () => {
      const messages = await Promise.all(Array.from({ length: 12 }, () => sent()));
      const { data } = await events(messages.map((message) => event('delivered', message, { timestamp: now() - 5 })));
      expect(data).toEqual({ matched: 12 });
      for (const message of messages) expect((await seen(message)).message.status).toBe('delivered');
    });
  });

  describe('POST /inbound/mail/{key}', () => {
    it('returns 404 for an invalid key, 415 for other media types, and 413 for more than 10 MB', async () => {
      const { about } = await sent();
      const raw = reportedMail('postfix-dead', about);
      expect((await mail(raw, addresses.mail_url.slice(0, -1))).status).toBe(404);
      expect((await mail(raw, addresses.sendgrid_url)).status).toBe(415);
      for (const type of ['application/json', 'text/plain', 'multipart/form-data']) {
        expect((await post(local(addresses.mail_url), '{}', { 'content-type': type })).status).toBe(415);
      }
      const padded = (size: number) => Buffer.concat([raw, Buffer.alloc(size - raw.length, 'x')]);
      expect((await mail(padded(10 * 1_048_576 + 1))).status).toBe(413);
      expect(await mail(padded(10 * 1_048_576))).toMatchObject({ status: 200, data: { matched: 1 } });
      expect((await mail('')).status).toBe(200);
    });

    it.each([
      ['too many parts', '--b\r\n\r\n\r\n'.repeat(100_000)],
      ['no parts', 'text'],
      ['a broken part', '--b\r\nContent-Type: ;\r\nContent-Transfer-Encoding: base64\r\n\r\n\0='],
      ['a part with a long header', `--b\r\nTo: ${'a:'.repeat(100_000)}\r\n\r\nx`],
    ])('returns 200 for a report with %s, so that the mail server does not repeat it', async (_name, body) => {
      const report = `Content-Type: multipart/report; boundary=b\r\n\r\n${body}`;
      expect(await mail(report)).toMatchObject({ status: 200, data: { matched: 0 } });
    });

    it.each(['a line of its text', 'X-Failed-Recipients'])(
      'records a notice that names an address with a NUL in %s',
      async (place) => {
        const message = await sent();
        const field = place === 'X-Failed-Recipients' ? ['X-Failed-Recipients: a\0b@x.test'] : [];
        const raw = noticeOf(message.message_id, { fields: field, address: 'a\0b@x.test' });
        expect(await mail(raw)).toMatchObject({ status: 200, data: { matched: 1 } });
        expect((await seen(message)).message.status).toBe('bounced');
      },
    );

    it('ignores a mail whose values the database refuses', async () => {
      const [refused, message] = [await sent(), await sent()];
      await service.database.query(
        `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
           $$ BEGIN RAISE EXCEPTION 'invalid byte sequence' USING ERRCODE = 'character_not_in_repertoire'; END $$;
         CREATE TRIGGER refuse BEFORE UPDATE ON messages FOR EACH ROW WHEN (OLD.id = ${refused.id}) EXECUTE FUNCTION refuse()`,
      );
      for (const [about, matched] of [
        [refused, 0],
        [message, 1],
      ] as const) {
        expect(await mail(noticeOf(about.message_id))).toMatchObject({ status: 200, data: { matched } });
      }
      await service.database.query('DROP FUNCTION refuse CASCADE');
      expect((await seen(refused)).message.status).toBe('sent');
      expect((await seen(message)).message.status).toBe('bounced');
    });

    it('refuses a body for an unknown key before it is read', async () => {
      for (const [url, type] of [
        [addresses.mail_url, 'message/rfc822'],
        [addresses.sendgrid_url, 'application/json'],
      ] as const) {
        const { hostname, port, pathname } = new URL(local(`${url}x`));
        const request = http.request({
          host: hostname,
          port,
          path: pathname,
          method: 'POST',
          headers: { 'content-type': type, 'content-length': 1000, expect: '100-continue' },
        });
        let continued = false;
        request.on('continue', () => (continued = true)).on('error', () => undefined);
        request.flushHeaders();
        const [response] = (await once(request, 'response')) as [http.IncomingMessage];
        expect([response.statusCode, continued]).toEqual([404, false]);
        request.destroy();
      }
    });

    it.each([
      ['postfix-dead', '5.1.1'],
      ['exim-dead', '550'],
      ['exchange-dead', '5.1.10'],
      ['gmail-dead', '5.1.1'],
      ['microsoft365-fr-dead', '5.1.1'],
      ['orange-dead', '5.1.1'],
      ['qmail-dead', '5.1.1'],
      ['exim-text-dead', '5.1.1'],
    ])('records the sample %s as a hard bounce', async (sample, code) => {
      const message = await sent();
      const response = await mail(reportedMail(sample, message.about));
      expect([response.status, response.data]).toEqual([200, { matched: 1 }]);
      expect(await seen(message)).toMatchObject({
        message: { status: 'bounced', bounced_at: expect.any(String) },
        contact: 'bounced',
        enrollment: 'failed',
        blacklist: 'bounce',
      });
      expect(published.find(({ name }) => name === 'email.bounced')?.payload.bounce).toMatchObject({
        type: 'hard',
        code,
      });
      expect((await mail(reportedMail(sample, message.about))).status).toBe(200);
      expect(publishedFor(message)).toEqual(['email.bounced']);
    });

    it.each(['postfix-content', 'postfix-expired', 'exchange-full'])(
      'records the sample %s as a soft bounce',
      async (sample) => {
        const message = await sent();
        await mail(reportedMail(sample, message.about));
        expect(await seen(message)).toMatchObject({
          message: { status: 'bounced', bounced_at: expect.any(String) },
          contact: 'active',
          enrollment: 'failed',
          blacklist: null,
        });
        expect(published.map(({ payload }) => payload.bounce?.type)).toEqual(['soft']);
      },
    );

    it.each(['vacation-exchange', 'vacation-unmarked'])(
      'neither ends the enrollment nor counts as a reply after the automatic sample %s',
      async (sample) => {
        const message = await sent();
        const { status, data } = await mail(reportedMail(sample, message.about));
        expect([status, data]).toEqual([200, { matched: 1 }]);
        expect(await seen(message)).toMatchObject({
          message: { status: 'sent', replied_at: null },
          enrollment: 'in_progress',
          stats: { replied: 0 },
        });
      },
    );

    it.each(['postfix-delayed', 'microsoft365-delayed', 'exim-text-delayed', 'praise', 'read-receipt'])(
      'ignores the sample %s',
      async (sample) => {
        const message = await sent();
        const { status, data } = await mail(reportedMail(sample, message.about));
        expect([status, data]).toEqual([200, { matched: 0 }]);
        expect((await seen(message)).message).toMatchObject({ status: 'sent', replied_at: null });
        expect(publishedFor(message)).toEqual([]);
      },
    );

    it('cancels queued messages after a bounce', async () => {
      const message = await sent();
      await nextQueued(message);
      await mail(reportedMail('postfix-expired', message.about));
      expect((await seen(message)).others).toMatchObject([{ status: 'cancelled', reason: 'bounced' }]);
    });

    it('does not blacklist an address that the contact got after the message was sent', async () => {
      const message = await sent();
      const email = `right.${message.contact.email}`;
      await api.put(`/contacts/${message.contact.id}`, { email });
      await mail(reportedMail('postfix-dead', message.about));
      expect(await seen(message)).toMatchObject({ message: { status: 'bounced' }, contact: 'active', blacklist: null });
      expect((await api.post('/blacklist/check', { email })).data.is_blacklisted).toBe(false);
    });

    it('records a delivery', async () => {
      const message = await sent();
      await mail(reportedMail('postfix-delivered', message.about));
      expect((await seen(message)).message.status).toBe('delivered');
      expect(publishedFor(message)).toEqual(['email.delivered']);
    });

    it('records a complaint', async () => {
      const message = await sent();
      await mail(reportedMail('complaint', message.about));
      expect(await seen(message)).toMatchObject({
        message: { status: 'complained' },
        contact: 'complained',
        enrollment: 'unsubscribed',
        blacklist: 'complaint',
      });
    });

    it.each(['reply', 'reply-in-thread'])(
      'completes the enrollment and cancels queued messages after the sample %s',
      async (sample) => {
        const message = await sent();
        await nextQueued(message);
        await api.post(`/campaigns/${message.campaign.id}/start`);
        const { data } = await mail(reportedMail(sample, message.about));
        expect(data).toEqual({ matched: 1 });
        const after = await seen(message);
        expect(after).toMatchObject({
          message: { status: 'sent', replied_at: expect.any(String) },
          others: [{ status: 'cancelled', reason: 'replied' }],
          enrollment: 'completed',
          contact: 'active',
          stats: { replied: 1 },
        });
        expect((await api.get(`/campaigns/${message.campaign.id}`)).data.status).toBe('completed');
        await mail(reportedMail(sample, message.about));
        expect(await seen(message)).toEqual(after);
      },
    );

    it('continues the enrollment after a reply if stop_on_reply is false', async () => {
      const message = await sent({ stop_on_reply: false });
      await nextQueued(message);
      await mail(reportedMail('reply', message.about));
      expect(await seen(message)).toMatchObject({
        message: { replied_at: expect.any(String) },
        others: [{ status: 'queued' }],
        enrollment: 'in_progress',
      });
    });

    it('does not treat a follow-up of ours as a reply', async () => {
      const [message, followUp] = [await sent(), await sent()];
      const raw = reportedMail('reply', message.about).toString();
      const { data } = await mail(raw.replace('CAF1x2y3z@mail.gmail.com', followUp.message_id));
      expect(data).toEqual({ matched: 0 });
      expect((await seen(message)).message.replied_at).toBeNull();
    });

    it('ignores messages of other workspaces', async () => {
      const other = await service.client();
      const theirs = await sent({}, new Given(other, service.database));
      for (const sample of ['postfix-dead', 'complaint', 'reply']) {
        expect((await mail(reportedMail(sample, theirs.about))).data).toEqual({ matched: 0 });
      }
      const shown = (await other.get(`/campaigns/${theirs.campaign.id}/messages`)).data;
      expect(shown).toMatchObject([{ status: 'sent', replied_at: null }]);
    });

    it('fails a completed enrollment after a bounce', async () => {
      const message = await sent();
      await setEnrollment(message, `status = 'completed', completed_at = now()`);
      await mail(reportedMail('postfix-dead', message.about));
      const { data } = await api.get(`/campaigns/${message.campaign.id}/contacts/${message.contact.id}`);
      expect(data).toMatchObject({ status: 'failed', completed_at: null });
    });

    it.each(['unknown', 'sending'])('marks a message with the status %s as sent before it bounces', async (status) => {
      const message = await sent();
      await service.database.query(`UPDATE messages SET status = 'unknown', sent_at = NULL WHERE id = $1`, [
        message.id,
      ]);
      if (status === 'sending') await given.unrecorded(message.id);
      await mail(reportedMail('postfix-dead', message.about));
      expect(await seen(message)).toMatchObject({
        message: { status: 'bounced', sent_at: expect.any(String), bounced_at: expect.any(String) },
        enrollment: 'failed',
      });
      expect(publishedFor(message)).toEqual(['email.sent', 'email.bounced']);
    });

    it('finds a message whose step was deleted, and whose Message-ID has an upper-case domain', async () => {
      const message = await sent();
      await service.database.query('UPDATE messages SET step_id = NULL WHERE id = $1', [message.id]);
      const shouted = message.message_id.replace('@sender.example', '@SENDER.EXAMPLE');
      await mail(reportedMail('postfix-delivered', { ...message.about, message_id: shouted }));
      expect((await seen(message)).message.status).toBe('delivered');
    });
  });

  const setEnrollment = ({ campaign }: Sent, set: string) =>
    service.database.query(`UPDATE enrollments SET ${set} WHERE campaign_id = $1`, [campaign.id]);

  /** Adds a step and queues its message. */
  async function nextQueued({ id, campaign }: Sent): Promise<void> {
    const step = await api.post(`/campaigns/${campaign.id}/steps`, { subject: 'Again', body: 'Again' });
    await service.database.query(
      `INSERT INTO queued_messages (workspace_id, campaign_id, enrollment_id, contact_id, step_id)
       SELECT workspace_id, campaign_id, enrollment_id, contact_id, $2 FROM messages WHERE id = $1`,
      [id, step.data.id],
    );
  }
});

/** A notice of a mail server without a machine-readable part. */
function noticeOf(messageId: string, { fields = [], address = 'bob@acme.example' }: Notice = {}): string {
  const text = [
    'Your message could not be delivered to:',
    `<${address}>`,
    '550 5.1.1 User unknown',
    '--- Below this line is a copy of the message.',
    `Message-ID: <${messageId}>`,
  ];
  const header = ['From: MAILER-DAEMON@mx.example', 'Content-Type: text/plain', 'Content-Transfer-Encoding: base64'];
  return [...header, ...fields, '', Buffer.from(text.join('\n')).toString('base64')].join('\r\n');
}

interface Notice {
  readonly fields?: readonly string[];
  readonly address?: string;
}

const HARD = { type: 'bounce', status: '5.1.1', reason: '550 5.1.1 No such user' };

const signatureOf = (text: string, { privateKey }: Key): string =>
  sign('sha256', Buffer.from(text), privateKey).toString('base64');

const post = async (url: string, body: string | Buffer, headers: Record<string, string>): Promise<ApiResponse> =>
  parseResponse(await fetch(url, { method: 'POST', headers, body: body as string }));
