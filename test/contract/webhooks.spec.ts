import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHmac } from 'node:crypto';
import type { ApiClient } from '../support/api-client.js';
import type { Schema } from '../support/api-schemas.js';
import { TIMESTAMP, UUID } from '../support/expected.js';
import { trustReceivers, WebhookReceiver } from '../support/webhook-receiver.js';
import { useSharedService } from '../support/service.js';

const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/;
/** No server of another test gets this port by chance. */
const UNREACHABLE_URL = 'https://127.0.0.1:4443/hook';
const EVENTS = [
  'contact.created',
  'contact.updated',
  'contact.deleted',
  'campaign.started',
  'campaign.paused',
  'campaign.completed',
  'email.sent',
  'email.delivered',
  'email.opened',
  'email.replied',
  'email.clicked',
  'email.bounced',
  'email.complained',
  'email.unsubscribed',
];
const FIELDS = [
  'id',
  'url',
  'events',
  'is_active',
  'last_triggered_at',
  'failure_count',
  'paused_until',
  'next_attempt_at',
  'pending_count',
  'created_at',
  'updated_at',
];

interface WebhookRow {
  readonly secret: string;
  readonly paused_until: Date | null;
}

interface DeliveryRow {
  readonly delivery_id: string;
}

describe('webhooks', () => {
  trustReceivers();
  const service = useSharedService();
  let receiver: WebhookReceiver;
  let api: ApiClient;
  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
  });
  afterAll(() => receiver.stop());
  beforeEach(async () => {
    api = await service.client();
    receiver.reply = () => ({});
  });

  const fields = (changes: object = {}) => ({ url: UNREACHABLE_URL, events: ['email.sent'], ...changes });
  const create = async (changes: object = {}): Promise<Schema<'WebhookWithSecret'>> => {
    const { status, body, data } = await api.post('/webhooks', fields(changes));
    expect([status, body.errors]).toEqual([201, undefined]);
    return data;
  };
  const errorsOf = async (response: ReturnType<ApiClient['post']>): Promise<string[]> => {
    const { status, body } = await response;
    expect([status, body.error, body.code]).toEqual([422, 'ValidationError', 422]);
    return Object.keys(body.errors as object).sort();
  };
  const shown = ({ secret: _, ...webhook }: Schema<'WebhookWithSecret'>) => webhook;
  const stored = async (id: number) => {
    const [row] = await service.database.query<WebhookRow>('SELECT * FROM webhooks WHERE id = $1', [id]);
    if (!row) throw new Error(`Webhook ${id} does not exist.`);
    return row;
  };
  const waiting = (id: number) =>
    service.database.query<DeliveryRow>('SELECT * FROM webhook_deliveries WHERE webhook_id = $1 ORDER BY id', [id]);

  /** Inserts a delivery that has waited for so many hours. */
  const givenWaiting = async (webhookId: number, hours: number) => {
    const [delivery] = await service.database.query<DeliveryRow>(
      `WITH event AS (INSERT INTO webhook_events (workspace_id, event, payload)
         VALUES ($1, 'email.sent', '{"event":"email.sent"}') RETURNING *)
       INSERT INTO webhook_deliveries
         (workspace_id, webhook_id, event_id, event_created_at, delivery_id, attempts, created_at)
       SELECT $1, $2, id, created_at, gen_random_uuid(), 3, now() - make_interval(hours => $3) FROM event RETURNING *`,
      [api.workspaceId, webhookId, hours],
    );
    return delivery;
  };

  describe('POST /webhooks', () => {
    it('returns 201 with the webhook and its secret', async () => {
      const { status, body } = await api.post('/webhooks', fields({ id: 7, failure_count: 3 }));
      expect(status).toBe(201);
      expect(Object.keys(body as object)).toEqual(['data']);
      expect(Object.keys(body.data as object)).toEqual([...FIELDS, 'secret']);
      expect(body.data).toEqual({
        id: expect.any(Number),
        url: UNREACHABLE_URL,
        events: ['email.sent'],
        is_active: true,
        last_triggered_at: null,
        failure_count: 0,
        paused_until: null,
        next_attempt_at: null,
        pending_count: 0,
        created_at: expect.stringMatching(TIMESTAMP),
        updated_at: expect.stringMatching(TIMESTAMP),
        secret: expect.stringMatching(SECRET),
      });
    });

    it('accepts every event of the contract, keeps their order, and removes repetitions', async () => {
      expect((await create({ events: [...EVENTS].reverse() })).events).toEqual([...EVENTS].reverse());
      const { events } = await create({ events: ['email.sent', 'contact.created', 'email.sent', ' email.sent '] });
      expect(events).toEqual(['email.sent', 'contact.created']);
    });

    it('accepts is_active, and uses the default true for null', async () => {
      expect((await create({ is_active: false })).is_active).toBe(false);
      expect((await create({ is_active: true })).is_active).toBe(true);
      expect((await create({ is_active: null })).is_active).toBe(true);
    });

    it('stores the secret encrypted, and creates a different one for each webhook', async () => {
      const [one, other] = [await create(), await create()];
      expect(one.secret).not.toBe(other.secret);
      const { secret } = await stored(one.id);
      expect(secret).not.toContain(one.secret.slice('whsec_'.length));
      expect(secret).not.toContain(Buffer.from(one.secret.slice('whsec_'.length), 'base64').toString('base64url'));
    });

    it.each([
      ['not a URL', 'hook'],
      ['empty', ''],
      ['white space', '   '],
      ['a path', '/hook'],
      ['without a scheme', '127.0.0.1/hook'],
      ['plain HTTP to a public address', 'http://8.8.8.8/hook'],
      ['plain HTTP to a name without an address', 'http://hooks.example/hook'],
      ['another scheme', 'ftp://127.0.0.1/hook'],
      ['without a host', 'https:///hook'],
      ['with credentials', 'https://user:pass@127.0.0.1/hook'],
      ['with a user', 'https://user@127.0.0.1/hook'],
      ['with an empty user', 'https://@127.0.0.1/hook'],
      ['with a fragment', 'https://127.0.0.1/hook#top'],
      ['with an empty fragment', 'https://127.0.0.1/hook#'],
      ['a private address', 'https://10.0.0.1/hook'],
      ['another private address', 'https://192.168.1.1/'],
      ['the address of cloud metadata', 'https://169.254.169.254/latest/meta-data'],
      ['the unspecified address', 'https://0.0.0.0/'],
      ['a private address in decimal notation', 'https://167772161/hook'],
      ['a private address in octal notation', 'https://012.0.0.1/hook'],
      ['a private address in hexadecimal notation', 'https://0x0a000001/'],
      ['a private address in short notation', 'https://10.1/'],
      ['loopback in IPv6', 'https://[::1]/'],
      ['an IPv4-mapped private address', 'https://[::ffff:10.0.0.1]/'],
      ['a unique local address', 'https://[fd00::1]/'],
      ['a reserved name', 'https://hooks.invalid/'],
      ['a local name', 'https://printer.local/hook'],
      ['an internal name', 'https://metadata.google.internal/'],
      ['a name without a dot', 'https://intranet/hook'],
      ['with a port out of range', 'https://127.0.0.1:65536/'],
      ['with white space inside', 'https://127.0.0.1/a b'],
      ['a number', 1],
      ['an array', [UNREACHABLE_URL]],
      ['an object', { href: UNREACHABLE_URL }],
      ['null', null],
      ['missing', undefined],
      ['256 characters long', `https://127.0.0.1/${'a'.repeat(238)}`],
    ])('returns 422 for a URL that is %s', async (_, url) => {
      expect(await errorsOf(api.post('/webhooks', fields({ url })))).toEqual(['url']);
      expect((await api.get('/webhooks')).body.meta.total).toBe(0);
    });

    it('accepts URLs of up to 255 code points, with ports, with queries and in upper case', async () => {
      const urls = [
        `https://127.0.0.1/${'a'.repeat(237)}`,
        `https://127.0.0.1/${'😀'.repeat(237)}`,
        'https://127.0.0.1:8443/hook?token=1&x=%20',
        'HTTPS://127.0.0.1/Hook',
        'https://127.0.0.1',
        'https://example.com/hook',
      ];
      for (const url of urls) expect((await create({ url: ` ${url} ` })).url).toBe(url);
    });

    it.each([
      ['missing', undefined, ['events']],
      ['null', null, ['events']],
      ['a string', 'email.sent', ['events']],
      ['an object', { 0: 'email.sent' }, ['events']],
      ['empty', [], ['events']],
      ['unknown', ['email.sent', 'email.lost'], ['events.1']],
      ['the test event', ['webhook.test'], ['events.0']],
      ['a pattern', ['*'], ['events.0']],
      ['in upper case', ['Email.Sent'], ['events.0']],
      ['of other types', ['email.sent', 1, null, ['email.sent']], ['events.1', 'events.2', 'events.3']],
      ['wrong and repeated', ['email.sent', 'email.sent', 'x'], ['events.2']],
      ['too many', Array<string>(101).fill('email.lost'), ['events']],
    ])('returns 422 for events that are %s', async (_, events, expected) => {
      expect(await errorsOf(api.post('/webhooks', fields({ events })))).toEqual(expected);
    });

    it.each(['true', 1, 0, 'false', [], {}])('returns 422 for is_active %j', async (value) => {
      expect(await errorsOf(api.post('/webhooks', fields({ is_active: value })))).toEqual(['is_active']);
    });

    it('returns the errors of all fields, and treats a missing body as {}', async () => {
      expect(await errorsOf(api.post('/webhooks'))).toEqual(['events', 'url']);
      expect(await errorsOf(api.post('/webhooks', { url: 'x', events: [], is_active: 1 }))).toEqual([
        'events',
        'is_active',
        'url',
      ]);
      expect(await errorsOf(api.post('/webhooks', [fields()]))).toEqual(['body']);
    });
  });

  describe('GET /webhooks/{id}', () => {
    it('returns the webhook without its secret', async () => {
      const webhook = await create();
      const { status, body } = await api.get(`/webhooks/${webhook.id}`);
      expect(status).toBe(200);
      expect(body).toEqual({ data: shown(webhook) });
    });

    it.each(['0', '-1', 'abc', '1.5', '9007199254740992', '99999999999999999999', '123456789'])(
      'returns 404 for the ID %s, whatever the method and the path',
      async (id) => {
        for (const method of ['GET', 'PUT', 'DELETE']) {
          const { status, body } = await api.call(method, `/webhooks/${id}`, method === 'PUT' ? { url: 1 } : undefined);
          expect([method, status, body.error, body.errors, body.code]).toEqual([method, 404, 'HttpError', null, 404]);
        }
        expect((await api.get(`/webhooks/${id}/logs?sort=x`)).status).toBe(404);
        for (const action of ['test', 'regenerate-secret', 'logs/1/redeliver']) {
          expect((await api.post(`/webhooks/${id}/${action}`)).status).toBe(404);
        }
      },
    );

    it('returns 403 without the permission of the route', async () => {
      const { id } = await create();
      const reader = await service.client(['webhooks:read']);
      const writer = await service.client(['webhooks:write']);
      for (const path of ['/webhooks', `/webhooks/${id}`, `/webhooks/${id}/logs`]) {
        expect([path, (await writer.get(path)).status]).toEqual([path, 403]);
      }
      const writes: [string, string][] = [
        ['POST', ''],
        ['PUT', `/${id}`],
        ['DELETE', `/${id}`],
        ['POST', `/${id}/test`],
        ['POST', `/${id}/regenerate-secret`],
        ['POST', `/${id}/logs/1/redeliver`],
      ];
      for (const [method, path] of writes) {
        const { status, body } = await reader.call(method, `/webhooks${path}`, {});
        expect([path, status, Object.keys(body as object)]).toEqual([path, 403, ['error', 'message']]);
      }
      expect((await reader.get('/webhooks')).status).toBe(200);
      expect((await writer.post('/webhooks', fields())).status).toBe(201);
    });
  });

  describe('GET /webhooks', () => {
    const ids = async (query: string): Promise<number[]> => {
      const { status, body, data } = await api.get(`/webhooks?${query}`);
      expect([query, status]).toEqual([query, 200]);
      expect(body.meta.total).toBe(data.length);
      return data.map(({ id }: { id: number }) => id);
    };

    it('returns pages of 15 webhooks, newest first, without secrets', async () => {
      const made = [];
      for (let n = 0; n < 16; n++) made.unshift(shown(await create({ url: `${UNREACHABLE_URL}/${n}` })));
      const { body } = await api.get('/webhooks');
      expect(body).toEqual({
        data: made.slice(0, 15),
        links: {
          first: 'http://outreach.test/v1/webhooks?page=1',
          last: 'http://outreach.test/v1/webhooks?page=2',
          prev: null,
          next: 'http://outreach.test/v1/webhooks?page=2',
        },
        meta: { current_page: 1, last_page: 2, per_page: 15, total: 16, count: 15 },
      });
      expect((await api.get('/webhooks?page=2')).data).toEqual(made.slice(15));
      const beyond = await api.get('/webhooks?page=9&per_page=10');
      expect(beyond.body).toMatchObject({ data: [], meta: { count: 0, total: 16, last_page: 2 } });
      expect(beyond.body.links.prev).toBe('http://outreach.test/v1/webhooks?per_page=10&page=2');
    });

    it('searches the URL by terms, and filters by is_active and event', async () => {
      const crm = await create({ url: 'https://127.0.0.1/CRM/100%/a_b', events: ['email.sent', 'email.opened'] });
      const log = await create({ url: 'https://127.0.0.1/log/crm', is_active: false, events: ['contact.created'] });
      expect(await ids('search=crm')).toEqual([log.id, crm.id]);
      expect(await ids('search=crm%20LOG')).toEqual([log.id]);
      expect(await ids('search=100%25')).toEqual([crm.id]);
      expect(await ids('search=a_b')).toEqual([crm.id]);
      expect(await ids('search=aXb')).toEqual([]);
      expect(await ids('search=email.sent')).toEqual([]);
      expect(await ids(`search=${'crm+'.repeat(6)}nowhere`)).toEqual([log.id, crm.id]);
      expect(await ids('search=')).toEqual([log.id, crm.id]);
      expect(await ids('is_active=1')).toEqual([crm.id]);
      expect(await ids('is_active=0')).toEqual([log.id]);
      expect(await ids('event=email.opened')).toEqual([crm.id]);
      expect(await ids('event=email.opened&is_active=0')).toEqual([]);
      expect(await ids('event=email.clicked')).toEqual([]);
      expect(await ids('event=contact.created&search=log&_unknown=1')).toEqual([log.id]);
    });

    it('sorts by each column, then by ID, with null last', async () => {
      const [a, b, c] = [
        await create({ url: `${UNREACHABLE_URL}/b`, is_active: false }),
        await create({ url: `${UNREACHABLE_URL}/a` }),
        await create({ url: `${UNREACHABLE_URL}/c` }),
      ].map(({ id }) => id);
      await service.database.query(
        `UPDATE webhooks SET failure_count = 4, last_triggered_at = now(), updated_at = now() + interval '1 s' WHERE id = $1`,
        [b],
      );
      await service.database.query(`UPDATE webhooks SET last_triggered_at = now() - interval '1 day' WHERE id = $1`, [
        a,
      ]);
      const orders: Record<string, [asc: unknown[], desc: unknown[]]> = {
        url: [
          [b, a, c],
          [c, a, b],
        ],
        is_active: [
          [a, b, c],
          [c, b, a],
        ],
        failure_count: [
          [a, c, b],
          [b, c, a],
        ],
        last_triggered_at: [
          [a, b, c],
          [b, a, c],
        ],
        updated_at: [
          [a, c, b],
          [b, c, a],
        ],
        created_at: [
          [a, b, c],
          [c, b, a],
        ],
      };
      for (const [sort, [asc, desc]] of Object.entries(orders)) {
        expect([sort, await ids(`sort=${sort}&direction=asc`)]).toEqual([sort, asc]);
        expect([sort, await ids(`sort=${sort}`)]).toEqual([sort, desc]);
      }
    });

    it.each([
      ['page=0', 'page'],
      ['page=x', 'page'],
      ['per_page=0', 'per_page'],
      ['per_page=101', 'per_page'],
      ['is_active=true', 'is_active'],
      ['is_active=', 'is_active'],
      ['is_active=2', 'is_active'],
      ['event=webhook.test', 'event'],
      ['event=email', 'event'],
      ['event=', 'event'],
      ['event=email.sent&event=email.opened', 'event'],
      ['sort=events', 'sort'],
      ['sort=secret', 'sort'],
      ['direction=up', 'direction'],
      ['search=a&search=b', 'search'],
      ['search=%00', 'search'],
    ])('returns 422 for ?%s', async (query, field) => {
      expect(await errorsOf(api.get(`/webhooks?${query}`))).toEqual([field]);
    });
  });

  describe('PUT /webhooks/{id}', () => {
    it('changes the fields in the body only, and never the secret', async () => {
      const webhook = await create();
      const encrypted = (await stored(webhook.id)).secret;
      const renamed = await api.put(`/webhooks/${webhook.id}`, { url: `${UNREACHABLE_URL}/2` });
      expect(renamed.status).toBe(200);
      expect(renamed.body).toEqual({
        data: { ...shown(webhook), url: `${UNREACHABLE_URL}/2`, updated_at: expect.stringMatching(TIMESTAMP) },
      });
      const resubscribed = await api.put(`/webhooks/${webhook.id}`, { events: ['email.opened', 'email.opened'] });
      expect(resubscribed.data).toMatchObject({
        url: `${UNREACHABLE_URL}/2`,
        events: ['email.opened'],
        is_active: true,
      });
      expect((await api.put(`/webhooks/${webhook.id}`, { is_active: false })).data.is_active).toBe(false);
      expect((await stored(webhook.id)).secret).toBe(encrypted);
    });

    it('accepts an empty body, and ignores read-only fields', async () => {
      const webhook = await create();
      for (const body of [undefined, {}, { failure_count: 9, last_triggered_at: null }]) {
        const { status, data } = await api.put(`/webhooks/${webhook.id}`, body);
        expect([status, data]).toEqual([200, shown(webhook)]);
      }
    });

    it.each([
      [{ url: null }, ['url']],
      [{ url: '' }, ['url']],
      [{ url: 'http://8.8.8.8' }, ['url']],
      [{ url: 'https://10.0.0.1' }, ['url']],
      [{ events: null }, ['events']],
      [{ events: [] }, ['events']],
      [{ events: ['webhook.test'] }, ['events.0']],
      [{ is_active: 'false' }, ['is_active']],
      [{ url: 1, events: 'x', is_active: 0 }, ['events', 'is_active', 'url']],
    ])('returns 422 for %j and changes nothing', async (body, expected) => {
      const webhook = await create();
      expect(await errorsOf(api.put(`/webhooks/${webhook.id}`, body))).toEqual(expected);
      expect((await api.get(`/webhooks/${webhook.id}`)).data).toEqual(shown(webhook));
    });

    it('treats is_active null as true', async () => {
      const webhook = await create({ is_active: false });
      expect((await api.put(`/webhooks/${webhook.id}`, { is_active: null })).data.is_active).toBe(true);
    });
  });

  describe('is_active', () => {
    const fail = (id: number, isActive = false, pause = '1 hour') =>
      service.database.query(
        `UPDATE webhooks SET is_active = $2, failure_count = 10, paused_until = now() + $3::interval WHERE id = $1`,
        [id, isActive, pause],
      );

    it('set to true activates the webhook and resets its failures and its pause', async () => {
      const { id } = await create();
      for (const isActive of [false, true]) {
        await fail(id, isActive);
        const { data } = await api.put(`/webhooks/${id}`, { is_active: true });
        expect(data).toMatchObject({ is_active: true, failure_count: 0 });
        expect((await stored(id)).paused_until).toBeNull();
      }
    });

    it('stays as it is when other fields change, and so do the failures', async () => {
      const { id } = await create();
      await fail(id);
      for (const body of [{}, { events: ['email.opened'] }, { is_active: false }, { url: `${UNREACHABLE_URL}/new` }]) {
        expect((await api.put(`/webhooks/${id}`, body)).data).toMatchObject({ is_active: false, failure_count: 10 });
      }
    });

    it('does not end the pause with the same URL, and ends it with a new URL or secret', async () => {
      const { id } = await create();
      await fail(id, true);
      const { data } = await api.put(`/webhooks/${id}`, { url: UNREACHABLE_URL });
      expect(data.paused_until).toEqual((await stored(id)).paused_until?.toISOString());
      expect((await api.put(`/webhooks/${id}`, { url: `${UNREACHABLE_URL}/mended` })).data.paused_until).toBeNull();
      await fail(id, true);
      await api.post(`/webhooks/${id}/regenerate-secret`);
      expect((await stored(id)).paused_until).toBeNull();
    });

    it('shows a pause only until it is over, and while the webhook is active', async () => {
      const { id } = await create();
      for (const [isActive, pause] of [
        [false, '1 hour'],
        [true, '-1 second'],
      ] as const) {
        await fail(id, isActive, pause);
        expect((await api.get(`/webhooks/${id}`)).data).toMatchObject({ paused_until: null });
      }
    });

    it('shows when the next attempt is made: after the pause of the first delivery and after its own', async () => {
      const { id } = await create();
      const shows = async () => (await api.get(`/webhooks/${id}`)).data.next_attempt_at;
      const inHours = async (hours: number) => {
        const [row] = await service.database.query<{ at: Date }>(
          `UPDATE webhook_deliveries SET next_attempt_at = now() + make_interval(hours => $2) WHERE webhook_id = $1
           RETURNING next_attempt_at AS at`,
          [id, hours],
        );
        return row?.at.toISOString();
      };
      expect(await shows()).toBeNull();
      await givenWaiting(id, 1);
      const afterItsPause = await inHours(5);
      await fail(id, true, '-1 second');
      expect([await shows(), (await api.get('/webhooks')).data[0].next_attempt_at]).toEqual([
        afterItsPause,
        afterItsPause,
      ]);
      await inHours(0);
      await fail(id, true);
      expect(await shows()).toBe((await stored(id)).paused_until?.toISOString());
      await fail(id);
      expect(await shows()).toBeNull();
      await service.database.query('UPDATE webhook_deliveries SET forced = TRUE WHERE webhook_id = $1', [id]);
      const requested = await inHours(3);
      expect(await shows()).toBe(requested);
    });

    it('is tagged with all that it shows: a delivery that waits changes the response to If-None-Match', async () => {
      const { id } = await create();
      const read = (tag: string | null) => api.get(`/webhooks/${id}`, { 'if-none-match': tag ?? '' });
      const { headers } = await read(null);
      expect((await read(headers.get('etag'))).status).toBe(304);
      await givenWaiting(id, 1);
      const changed = await read(headers.get('etag'));
      expect([changed.status, changed.data.pending_count]).toEqual([200, 1]);
      await service.database.query(
        `UPDATE webhook_deliveries SET next_attempt_at = now() + interval '5 hours' WHERE webhook_id = $1`,
        [id],
      );
      expect((await read(changed.headers.get('etag'))).status).toBe(200);
    });

    it.each([
      ['true, if it was inactive', false, '1 hour', { is_active: true }, true],
      ['true, if it was paused', true, '1 hour', { is_active: true }, true],
      ['true, after a pause that is over', true, '-1 hour', { is_active: true }, true],
      ['the same, with a new URL', true, '1 hour', { url: `${UNREACHABLE_URL}/mended` }, true],
      ['the same, with other events', true, '1 hour', { events: ['email.opened'] }, false],
    ])('set to %s: what waits for its next attempt is due then only', async (_, isActive, pause, body, isDue) => {
      const { id } = await create();
      await fail(id, isActive, pause);
      await givenWaiting(id, 1);
      await service.database.query(
        `UPDATE webhook_deliveries SET next_attempt_at = now() + interval '5 hours' WHERE webhook_id = $1`,
        [id],
      );
      await api.put(`/webhooks/${id}`, body);
      const due = await service.database.query(
        'SELECT 1 FROM webhook_deliveries WHERE webhook_id = $1 AND next_attempt_at <= now()',
        [id],
      );
      expect(due).toHaveLength(isDue ? 1 : 0);
      expect((await api.get('/webhooks')).data[0]).toMatchObject({ id, pending_count: 1 });
    });

    it('set to true keeps deliveries that have waited for less than 28 hours, and drops and logs the others', async () => {
      const [{ id }, other] = [await create({ is_active: false }), await create({ is_active: false })];
      const young = await givenWaiting(id, 27);
      const old = await givenWaiting(id, 29);
      await givenWaiting(other.id, 29);
      await api.put(`/webhooks/${id}`, { events: ['email.opened'] });
      expect(await waiting(id)).toHaveLength(2);
      await api.put(`/webhooks/${id}`, { is_active: true });
      expect((await waiting(id)).map((each) => each.delivery_id)).toEqual([young?.delivery_id]);
      expect(await waiting(other.id)).toHaveLength(1);
      const { body, data } = await api.get(`/webhooks/${id}/logs`);
      expect(body.meta.total).toBe(1);
      expect(data[0]).toMatchObject({
        event: 'email.sent',
        payload: { event: 'email.sent' },
        status_code: 0,
        success: false,
        response: 'dropped',
        delivery_id: old?.delivery_id,
        attempt: 4,
      });
      expect((await api.get(`/webhooks/${id}`)).data).toMatchObject({ failure_count: 0, last_triggered_at: null });
    });

    it('set to true drops no deliveries of a webhook that is active already', async () => {
      const { id } = await create();
      await givenWaiting(id, 29);
      await api.put(`/webhooks/${id}`, { is_active: true });
      expect(await waiting(id)).toHaveLength(1);
    });
  });

  describe('POST /webhooks/{id}/test', () => {
    const test = async (id: number) => {
      const { status, body } = await api.post(`/webhooks/${id}/test`);
      expect([status, Object.keys(body as object)]).toEqual([200, ['success', 'message', 'status_code']]);
      return body;
    };

    it('sends plain HTTP to a host in EGRESS_ALLOWED_CIDRS', async () => {
      const plain = createServer((request, response) => void request.resume().on('end', () => response.end()));
      await once(plain.listen(0, '127.0.0.1'), 'listening');
      const { port } = plain.address() as AddressInfo;
      const { id } = await create({ url: `http://127.0.0.1:${port}/plain` });
      expect(await test(id)).toMatchObject({ success: true, status_code: 200 });
      await api.delete(`/webhooks/${id}`);
      plain.closeAllConnections();
      plain.close();
    });

    it('sends plain HTTP to loopback in a sandbox, too, because its network is allowed', async () => {
      const sandbox = await service.sandbox();
      const url = receiver.url('/plain').replace('https:', 'http:');
      expect((await sandbox.post('/webhooks', { url, events: ['email.sent'] })).status).toBe(201);
      const refused = await sandbox.post('/webhooks', { url: 'http://10.0.0.1/hook', events: ['email.sent'] });
      expect(refused.body.errors.url[0]).toMatch(/http:\/\/ is only for hosts .*EGRESS_ALLOWED_CIDRS/);
    });

    it('sends a signed test delivery and returns its result', async () => {
      const { id, secret } = await create({ url: receiver.url('/signed'), is_active: false });
      expect(await test(id)).toEqual({
        success: true,
        message: expect.stringMatching(/^[A-Z].+\.$/),
        status_code: 200,
      });
      const [request, ...others] = receiver.at('/signed');
      expect(others).toEqual([]);
      expect(request?.method).toBe('POST');
      expect(request?.body).toEqual({
        event: 'webhook.test',
        workspace_id: api.workspaceId,
        data: {
          message: expect.any(String),
          timestamp: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?\+00:00$/),
        },
      });
      expect(request?.headers).toMatchObject({
        'content-type': 'application/json',
        'x-service-event': 'webhook.test',
        'x-service-signature': createHmac('sha256', String(secret))
          .update(request?.raw ?? '')
          .digest('hex'),
        'x-service-delivery': expect.stringMatching(UUID),
        'x-service-attempt': '1',
      });
    });

    it('logs the test, and changes neither the webhook nor its deliveries', async () => {
      const { id } = await create({ url: receiver.url('/counted') });
      await service.database.query('UPDATE webhooks SET failure_count = 9 WHERE id = $1', [id]);
      const before = (await api.get(`/webhooks/${id}`)).data;
      receiver.reply = () => ({ status: 500, body: 'out of order' });
      expect(await test(id)).toMatchObject({ success: false, status_code: 500 });
      receiver.reply = () => ({ status: 204 });
      expect(await test(id)).toMatchObject({ success: true, status_code: 204 });
      expect((await api.get(`/webhooks/${id}`)).data).toEqual(before);
      expect(await waiting(id)).toEqual([]);
      const { data } = await api.get(`/webhooks/${id}/logs`);
      const bodies = receiver
        .at('/counted')
        .map(({ body }) => body)
        .reverse();
      expect(data).toEqual([
        expect.objectContaining({ event: 'webhook.test', status_code: 204, success: true, payload: bodies[0] }),
        expect.objectContaining({ status_code: 500, success: false, response: 'out of order', payload: bodies[1] }),
      ]);
      expect(Object.keys(data[0] as object)).toEqual([
        'id',
        'event',
        'payload',
        'status_code',
        'response',
        'success',
        'created_at',
        'delivery_id',
        'attempt',
      ]);
      expect(data[0]).toMatchObject({
        id: expect.any(Number),
        created_at: expect.stringMatching(TIMESTAMP),
        delivery_id: receiver.at('/counted')[1]?.headers['x-service-delivery'],
        attempt: 1,
      });
    });

    it.each([
      ['a redirect', { status: 302, headers: { location: 'https://127.0.0.1/' } }, 302],
      ['an error', { status: 410 }, 410],
      ['a reset connection', 'reset' as const, 0],
    ])('returns success false for %s', async (_, reply, status) => {
      receiver.reply = () => reply;
      const { id } = await create({ url: receiver.url() });
      expect(await test(id)).toEqual({ success: false, message: expect.any(String), status_code: status });
    });

    it('returns the status 0 if nothing listens, or if the certificate is for another host', async () => {
      const { id } = await create({ url: UNREACHABLE_URL });
      expect(await test(id)).toMatchObject({ success: false, status_code: 0 });
      const impostor = await WebhookReceiver.start({ host: '127.0.0.2' });
      await api.put(`/webhooks/${id}`, { url: impostor.url() });
      expect(await test(id)).toMatchObject({
        success: false,
        status_code: 0,
        message: expect.stringContaining('certificate'),
      });
      expect(impostor.received).toEqual([]);
      await impostor.stop();
    });

    it('returns the result if the webhook is deleted during the test', async () => {
      const { id } = await create({ url: receiver.url() });
      receiver.reply = () => ({ wait: () => api.delete(`/webhooks/${id}`) });
      expect(await test(id)).toMatchObject({ success: true, status_code: 200 });
      expect((await api.get(`/webhooks/${id}`)).status).toBe(404);
    });
  });

  describe('POST /webhooks/{id}/regenerate-secret', () => {
    it('returns a new secret, which replaces the old one immediately', async () => {
      const webhook = await create({ url: receiver.url('/anew') });
      const { status, body } = await api.post(`/webhooks/${webhook.id}/regenerate-secret`);
      expect(status).toBe(200);
      expect(body).toEqual({
        data: { id: webhook.id, secret: expect.stringMatching(SECRET) },
        message: expect.stringMatching(/\.$/),
      });
      expect(body.data.secret).not.toBe(webhook.secret);
      await api.post(`/webhooks/${webhook.id}/test`);
      const [request] = receiver.at('/anew');
      const signed = (secret: string) =>
        createHmac('sha256', secret)
          .update(request?.raw ?? '')
          .digest('hex');
      expect(request?.headers['x-service-signature']).toBe(signed(body.data.secret as string));
      const { data } = await api.get(`/webhooks/${webhook.id}`);
      expect(data).toEqual({ ...shown(webhook), updated_at: expect.stringMatching(TIMESTAMP) });
    });

    it('returns the secret, which no other route returns', async () => {
      const webhook = await create({ url: receiver.url() });
      const { data } = await api.post(`/webhooks/${webhook.id}/regenerate-secret`);
      const responses = [
        await api.put(`/webhooks/${webhook.id}`, { events: ['email.opened'] }),
        await api.put(`/webhooks/${webhook.id}`, {}),
        await api.post(`/webhooks/${webhook.id}/test`),
        await api.get(`/webhooks/${webhook.id}`),
        await api.get('/webhooks'),
        await api.get(`/webhooks?search=${encodeURIComponent(data.secret)}`),
        await api.get(`/webhooks/${webhook.id}/logs`),
        await api.delete(`/webhooks/${webhook.id}`),
      ];
      for (const { body, status } of responses) {
        expect(status).toBeLessThan(300);
        const { data: records } = body as { data?: unknown };
        expect(JSON.stringify(records ?? body)).not.toMatch(/whsec_|secret/);
      }
    });
  });

  it('DELETE /webhooks/{id} deletes the webhook and its deliveries', async () => {
    const { id } = await create();
    await givenWaiting(id, 1);
    const { status, body } = await api.delete(`/webhooks/${id}`);
    expect([status, body]).toEqual([204, '']);
    expect(await waiting(id)).toEqual([]);
    expect((await api.get(`/webhooks/${id}`)).status).toBe(404);
    expect((await api.delete(`/webhooks/${id}`)).status).toBe(404);
    expect((await api.get('/webhooks')).body.meta.total).toBe(0);
  });

  it('POST /webhooks with a repeated Idempotency-Key returns the same secret and creates one webhook', async () => {
    const key = { 'idempotency-key': 'once' };
    const [first, again] = [await api.post('/webhooks', fields(), key), await api.post('/webhooks', fields(), key)];
    expect(again.body).toEqual(first.body);
    expect((await api.get('/webhooks')).body.meta.total).toBe(1);
    const stored = await service.database.query<{ response: string }>(
      'SELECT response FROM idempotency_keys WHERE workspace_id = $1',
      [api.workspaceId],
    );
    expect(stored).toHaveLength(1);
    expect(stored[0]?.response).not.toContain(first.data.secret.slice('whsec_'.length));
    await service.database.query(`UPDATE idempotency_keys SET response = '{}' WHERE workspace_id = $1`, [
      api.workspaceId,
    ]);
    expect((await api.post('/webhooks', fields(), key)).status).toBe(409);
  });
});
