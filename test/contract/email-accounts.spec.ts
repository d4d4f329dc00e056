import { LoginRefused } from '@outreach/mail-sessions';
import type { ApiClient } from '../support/api-client.js';
import type { Schema } from '../support/api-schemas.js';
import { httpError, TIMESTAMP } from '../support/expected.js';
import { MailSink } from '../support/mail-sink.js';
import { SendgridStub } from '../support/sendgrid-stub.js';
import { startService, type TestService } from '../support/service.js';
import {
  EmailAccount,
  type EmailAccountEvent,
  Mailboxes,
  type PasswordMailbox,
} from '../../src/email-accounts/index.js';
import { DomainEvents } from '../../src/platform/events/index.js';
import { Workspaces } from '../../src/workspaces/index.js';

const FIELDS = [
  'id',
  'name',
  'from_email',
  'from_name',
  'type',
  'is_default',
  'is_active',
  'disabled_reason',
  'disabled_at',
  'daily_limit',
  'min_seconds_between',
  'ramp_start',
  'ramp_per_day',
  'ramp_started_on',
  'sent_today',
  'last_used_at',
  'limited_until',
  'smtp_host',
  'smtp_port',
  'smtp_encryption',
  'imap_host',
  'imap_port',
  'imap_encryption',
  'reads_mailbox',
  'mailbox_read_at',
  'last_error',
  'dkim_domain',
  'dkim_selector',
  'created_at',
  'updated_at',
];

const smtp = (changes: object = {}) => ({
  name: 'Sales',
  type: 'smtp',
  from_email: 'sales@sender.test',
  from_name: 'Sales team',
  smtp_host: '127.0.0.1',
  smtp_port: 2525,
  smtp_username: 'mailer',
  smtp_password: 'correct horse',
  ...changes,
});
const sendgridAccount = (changes: object = {}) => ({
  name: 'Grid',
  type: 'sendgrid',
  from_email: 'grid@sender.test',
  from_name: 'Grid team',
  sendgrid_api_key: 'SG.stand-in.key',
  ...changes,
});

describe('email accounts', () => {
  let service: TestService;
  let sendgrid: SendgridStub;
  let api: ApiClient;

  beforeAll(async () => {
    sendgrid = await SendgridStub.start();
    service = await startService({ SENDGRID_BASE_URL: sendgrid.url });
  });
  afterAll(async () => {
    await service.stop();
    await sendgrid.stop();
  });
  beforeEach(async () => {
    api = await service.client();
  });

  const make = async (changes: object = {}): Promise<Schema<'EmailAccount'>> =>
    (await api.post('/email-accounts', smtp(changes))).data;
  const errorsOf = async (response: ReturnType<ApiClient['post']>): Promise<string[]> => {
    const { status, body } = await response;
    expect([status, body.error, body.code]).toEqual([422, 'ValidationError', 422]);
    return Object.keys(body.errors).sort();
  };
  const scopeOf = (client: ApiClient) => service.app.get(Workspaces).scope(client.workspaceId);

  describe('POST /email-accounts', () => {
    it('returns 201 with the account and without credentials', async () => {
      const { status, body } = await api.post('/email-accounts', smtp());
      expect(status).toBe(201);
      expect(Object.keys(body)).toEqual(['data']);
      expect(Object.keys(body.data)).toEqual(FIELDS);
      expect(body.data).toEqual({
        id: expect.any(Number),
        name: 'Sales',
        from_email: 'sales@sender.test',
        from_name: 'Sales team',
        type: 'smtp',
        is_default: true,
        is_active: true,
        disabled_reason: null,
        disabled_at: null,
        daily_limit: 500,
        min_seconds_between: 0,
        ramp_start: null,
        ramp_per_day: 5,
        ramp_started_on: null,
        sent_today: 0,
        last_used_at: null,
        limited_until: null,
        smtp_host: '127.0.0.1',
        smtp_port: 2525,
        smtp_encryption: 'tls',
        imap_host: null,
        imap_port: 993,
        imap_encryption: 'ssl',
        reads_mailbox: false,
        mailbox_read_at: null,
        last_error: null,
        dkim_domain: null,
        dkim_selector: null,
        created_at: expect.stringMatching(TIMESTAMP),
        updated_at: expect.stringMatching(TIMESTAMP),
      });
    });

    it('stores the password encrypted', async () => {
      const { id } = await make({ smtp_password: 'sésame, öffne dich' });
      const [row] = await service.database.query('SELECT * FROM email_accounts WHERE id = $1', [id]);
      expect(JSON.stringify(row)).not.toContain('sésame');
      expect(row?.smtp_password_encrypted).toMatch(/^v1\./);
      const mailbox = await service.app.get(Mailboxes).find(await scopeOf(api), id);
      expect(mailbox?.credentials).toEqual({
        type: 'smtp',
        smtp: {
          host: '127.0.0.1',
          port: 2525,
          username: 'mailer',
          login: { type: 'password', password: 'sésame, öffne dich' },
          encryption: 'tls',
        },
      });
    });

    it('accepts every field, and ignores those that cannot be set', async () => {
      const { data } = await api.post(
        '/email-accounts',
        smtp({ name: ' Vente 🎈 ', from_email: 'Ete.Sales@Sender.TEST', daily_limit: 10_000 }),
      );
      expect(data).toMatchObject({ name: 'Vente 🎈', from_email: 'ete.sales@sender.test', daily_limit: 10_000 });
      const more = { daily_limit: 1, is_active: false, smtp_encryption: 'ssl', smtp_port: 465, is_default: false };
      expect(await make({ ...more, sendgrid_api_key: 5, id: 7, sent_today: 9 })).toMatchObject({
        daily_limit: 1,
        is_active: false,
        is_default: false,
        sent_today: 0,
      });
    });

    it('uses the default of an optional field for null', async () => {
      const nothing = { daily_limit: null, is_active: null, smtp_encryption: null };
      const unlimited = { min_seconds_between: null, ramp_start: null, ramp_per_day: null };
      expect(await make({ ...nothing, ...unlimited })).toMatchObject({
        daily_limit: 500,
        is_active: true,
        min_seconds_between: 0,
        ramp_start: null,
        ramp_per_day: 5,
        ramp_started_on: null,
      });
    });

    it('returns 422 with the names of all missing fields', async () => {
      expect(await errorsOf(api.post('/email-accounts', {}))).toEqual(['from_email', 'from_name', 'name', 'type']);
      const bare = { name: 'A', from_name: 'A', from_email: 'a@b.test' };
      expect(await errorsOf(api.post('/email-accounts', { ...bare, type: 'smtp' }))).toEqual([
        'smtp_host',
        'smtp_password',
        'smtp_port',
        'smtp_username',
      ]);
      expect(await errorsOf(api.post('/email-accounts', { ...bare, type: 'sendgrid' }))).toEqual(['sendgrid_api_key']);
    });

    it.each<[string, unknown[]]>([
      ['name', ['', '  ', 'x'.repeat(256), 5, null, ['a'], { a: 1 }, 'a\u0000b', '\ud800']],
      ['type', ['google', 'microsoft', 'imap', '', 5, null, ['smtp']]],
      ['from_email', ['', 'nobody', 'a@b', 'a b@c.test', `${'a'.repeat(250)}@b.test`, 5, null, ['a@b.test']]],
      ['from_name', ['', 'x'.repeat(256), 5, null, 'Bob\r\nBcc: eve@example.com', 'Bob\nEve']],
      ['daily_limit', [0, 10_001, -1, 1.5, '500', true, [500], {}]],
      ['min_seconds_between', [-1, 86_401, 1.5, '60', true, [60], {}]],
      ['ramp_start', [0, 10_001, -1, 1.5, '20', true, [20], {}]],
      ['ramp_per_day', [0, 1_001, -1, 1.5, '5', true, [5], {}]],
      ['is_active', [1, 0, 'true', [], {}]],
      ['smtp_host', ['', 'http://mail.test', 'mail test', 'x'.repeat(256), 'a:25', 5, null, ['127.0.0.1']]],
      ['smtp_port', [0, 26, 80, 2526, '587', 587.5, null, [587]]],
      ['smtp_username', ['', 'x'.repeat(256), 5, null]],
      ['smtp_password', ['', 5, null, ['secret']]],
      ['smtp_encryption', ['none', 'TLS', '', 5, ['tls']]],
      ['imap_host', ['http://mail.test', 'mail test', 'x'.repeat(256), 'a:25', 5, ['127.0.0.1']]],
      ['imap_port', [0, 65_536, '993', 1.5, [993]]],
      ['imap_username', ['x'.repeat(256), 5]],
      ['imap_password', ['x'.repeat(1_001), 5]],
      ['imap_encryption', ['none', 'TLS', '', 5, ['ssl']]],
    ])('returns 422 for invalid values of %s', async (field, values) => {
      for (const value of values) {
        expect([value, await errorsOf(api.post('/email-accounts', smtp({ [field]: value })))]).toEqual([
          value,
          [field],
        ]);
      }
    });

    it('accepts 255 characters of several bytes', async () => {
      expect(await make({ name: '🎈'.repeat(255), from_name: 'é'.repeat(255) })).toMatchObject({ sent_today: 0 });
    });

    it.each([25, 465, 587, 993, 995, 2525])('accepts port %i', async (smtp_port) => {
      expect(await make({ smtp_port })).toMatchObject({ type: 'smtp' });
    });

    it.each(['10.0.0.1', '169.254.169.254', '[::1]', '::ffff:10.1.2.3', '0x0a000001', '192.168.1.1.'])(
      'returns 422 for the host %s, which is not public',
      async (smtp_host) => {
        expect(await errorsOf(api.post('/email-accounts', smtp({ smtp_host })))).toEqual(['smtp_host']);
      },
    );

    it('names the setting of the operator in the error of a host that is not public', async () => {
      const { body } = await api.post('/email-accounts', smtp({ smtp_host: '10.0.0.1' }));
      expect(body.errors.smtp_host[0]).toMatch('EGRESS_ALLOWED_CIDRS');
    });

    it('names the endpoint of OAuth in the error of a type that is connected by it', async () => {
      const typeError = async (type: string) => (await api.post('/email-accounts', smtp({ type }))).body.errors.type[0];
      expect(await typeError('google')).toBe(
        'An account of the type google is connected by OAuth: use POST /v1/email-accounts/oauth/google',
      );
      expect(await typeError('smpt')).toMatch(
        /^type must be one of the following values: smtp, .*Did you mean smtp\?$/,
      );
    });

    it('accepts a host that cannot be resolved now', async () => {
      expect(await make({ smtp_host: 'mail.nowhere.invalid' })).toMatchObject({ type: 'smtp' });
    });

    it('creates a SendGrid account, and ignores SMTP fields', async () => {
      const { status, data } = await api.post('/email-accounts', sendgridAccount({ smtp_port: 'ignored' }));
      expect(status).toBe(201);
      expect(Object.keys(data)).toEqual(FIELDS);
      expect(data.type).toBe('sendgrid');
      const [row] = await service.database.query('SELECT * FROM email_accounts WHERE id = $1', [data.id]);
      expect(JSON.stringify(row)).not.toContain('SG.stand-in.key');
      expect(row?.smtp_port).toBeNull();
      for (const key of ['', 5, null, 'SG.é', 'SG.a b', 'x'.repeat(1001)]) {
        expect(await errorsOf(api.post('/email-accounts', sendgridAccount({ sendgrid_api_key: key })))).toEqual([
          'sendgrid_api_key',
        ]);
      }
    });

    it('returns 403 without the permission to write', async () => {
      const reader = await service.client(['email_accounts:read']);
      expect((await reader.post('/email-accounts', smtp())).status).toBe(403);
      expect((await reader.get('/email-accounts')).status).toBe(200);
      const writer = await service.client(['email_accounts:write']);
      expect((await writer.post('/email-accounts', smtp())).status).toBe(201);
      expect((await writer.get('/email-accounts')).status).toBe(403);
    });
  });

  describe('the default flag', () => {
    const defaults = async (): Promise<number[]> =>
      (await api.get('/email-accounts?is_default=1')).data.map((account: { id: number }) => account.id);

    it('is set for the first account only', async () => {
      const first = await make();
      const second = await make();
      expect([first.is_default, second.is_default]).toEqual([true, false]);
    });

    it('is set for exactly one of many accounts that are created at the same time', async () => {
      const responses = await Promise.all(Array.from({ length: 12 }, () => api.post('/email-accounts', smtp())));
      expect(responses.map(({ status }) => status)).toEqual(Array(12).fill(201));
      expect(await defaults()).toHaveLength(1);
    });

    it('is moved by set-default, also to an inactive account', async () => {
      await make();
      const second = await make({ is_active: false });
      const { status, body } = await api.post(`/email-accounts/${second.id}/set-default`);
      expect(status).toBe(200);
      expect(body).toEqual({ data: { ...second, is_default: true, updated_at: expect.stringMatching(TIMESTAMP) } });
      expect(await defaults()).toEqual([second.id]);
      expect((await api.post(`/email-accounts/${second.id}/set-default`)).data.is_default).toBe(true);
      expect(await defaults()).toEqual([second.id]);
    });

    it('is set for one account after many set-default requests at the same time', async () => {
      const accounts = [await make(), await make(), await make()];
      const requests = [...accounts, ...accounts, ...accounts].map(({ id }) =>
        api.post(`/email-accounts/${id}/set-default`),
      );
      expect((await Promise.all(requests)).map(({ status }) => status)).toEqual(Array(9).fill(200));
      expect(await defaults()).toHaveLength(1);
    });

    it('is moved to the oldest active account when the default is deleted, or else to the oldest', async () => {
      const [first, second, third] = [await make(), await make({ is_active: false }), await make()];
      expect((await api.delete(`/email-accounts/${first.id}`)).status).toBe(204);
      expect(await defaults()).toEqual([third.id]);
      const fourth = await make({ is_active: false });
      expect((await api.delete(`/email-accounts/${third.id}`)).status).toBe(204);
      expect(await defaults()).toEqual([second.id]);
      expect((await api.delete(`/email-accounts/${fourth.id}`)).status).toBe(204);
      expect(await defaults()).toEqual([second.id]);
    });

    it('stays on the last account, whose deletion returns 403', async () => {
      const only = await make();
      const { status, body } = await api.delete(`/email-accounts/${only.id}`);
      expect(status).toBe(403);
      expect(body).toEqual({ ...httpError(403, 'last_email_account'), error: 'Forbidden' });
      expect(await defaults()).toEqual([only.id]);
    });

    it('is set for the one account that is left after deletions at the same time', async () => {
      const accounts = [await make(), await make(), await make(), await make()];
      const responses = await Promise.all(accounts.map(({ id }) => api.delete(`/email-accounts/${id}`)));
      expect(responses.map(({ status }) => status).sort()).toEqual([204, 204, 204, 403]);
      expect(await defaults()).toHaveLength(1);
    });
  });

  describe('GET /email-accounts', () => {
    it('returns one account, and 404 in another workspace', async () => {
      const account = await make();
      expect((await api.get(`/email-accounts/${account.id}`)).body).toEqual({ data: account });
      const stranger = await service.client();
      for (const path of ['', '/stats']) {
        expect((await stranger.get(`/email-accounts/${account.id}${path}`)).status).toBe(404);
      }
      for (const path of ['/test', '/set-default', '/reset-counter']) {
        expect((await stranger.post(`/email-accounts/${account.id}${path}`)).status).toBe(404);
      }
      expect((await stranger.put(`/email-accounts/${account.id}`, { name: 5 })).status).toBe(404);
      expect((await stranger.delete(`/email-accounts/${account.id}`)).status).toBe(404);
      expect((await stranger.get('/email-accounts')).body.meta.total).toBe(0);
      for (const id of ['0', '-1', 'x', '1.5', '9007199254740993', '99999999999999999999']) {
        expect([id, (await api.get(`/email-accounts/${id}`)).status]).toEqual([id, 404]);
      }
    });

    it('lists accounts, newest first, 15 per page', async () => {
      const ids: number[] = [];
      for (let made = 0; made < 16; made++) ids.unshift((await make()).id);
      const { body } = await api.get('/email-accounts');
      expect(body.data.map((account: Schema<'EmailAccount'>) => account.id)).toEqual(ids.slice(0, 15));
      expect(Object.keys(body.data[0])).toEqual(FIELDS);
      expect(body.meta).toEqual({ current_page: 1, last_page: 2, per_page: 15, total: 16, count: 15 });
      expect(body.links.next).toBe('http://outreach.test/v1/email-accounts?page=2');
    });

    it('filters and searches', async () => {
      const sales = await make({ name: 'Vente Été', from_email: 'a@north.test', from_name: 'Anna' });
      const grid = (await api.post('/email-accounts', sendgridAccount({ from_name: '50%_off', is_active: false })))
        .data;
      await service.database.query(
        `INSERT INTO email_accounts (workspace_id, name, type, from_email, from_name)
         VALUES ($1, 'G', 'google', 'g@x.test', 'G'), ($1, 'M', 'microsoft', 'm@x.test', 'M')`,
        [api.workspaceId],
      );
      const found = async (query: string) =>
        (await api.get(`/email-accounts?sort=name&direction=asc&${query}`)).data.map(
          (account: Schema<'EmailAccount'>) => account.name,
        );
      expect(await found('type=smtp')).toEqual(['Vente Été']);
      expect(await found('type=sendgrid')).toEqual(['Grid']);
      expect(await found('type=google')).toEqual(['G']);
      expect(await found('type=microsoft')).toEqual(['M']);
      expect(await found('is_active=0')).toEqual(['Grid']);
      expect(await found('is_active=1&type=smtp')).toEqual(['Vente Été']);
      expect(await found('is_default=0')).toEqual(['G', 'Grid', 'M']);
      expect(await found('is_default=1')).toEqual(['Vente Été']);
      expect(await found(`search=${encodeURIComponent('été NORTH anna')}`)).toEqual(['Vente Été']);
      expect(await found(`search=${encodeURIComponent('%_')}`)).toEqual(['Grid']);
      expect(await found('search=anna+grid')).toEqual([]);
      expect(await found('search=mailer')).toEqual([]);
      expect([sales.is_default, grid.is_default]).toEqual([true, false]);
    });

    it('sorts by every column of the contract', async () => {
      const [a, b, c] = [
        await make({ name: 'A', from_email: 'z@x.test', daily_limit: 30, is_active: false }),
        await make({ name: 'B', from_email: 'y@x.test', daily_limit: 20 }),
        await make({ name: 'C', from_email: 'x@x.test', daily_limit: 10 }),
      ];
      const set = (id: number, columns: string) =>
        service.database.query(`UPDATE email_accounts SET ${columns} WHERE id = $1`, [id]);
      await set(a.id, `sent_count = 900, counted_on = '2020-01-01', last_used_at = '2026-01-02'`);
      await set(b.id, `sent_count = 5, counted_on = (now() AT TIME ZONE 'UTC')::date, type = 'google'`);
      await set(c.id, `sent_count = 7, counted_on = (now() AT TIME ZONE 'UTC')::date, last_used_at = '2026-01-01'`);
      const names = async (sort: string, direction = 'asc') =>
        (await api.get(`/email-accounts?sort=${sort}&direction=${direction}`)).data
          .map((account: Schema<'EmailAccount'>) => account.name)
          .join('');
      expect(await names('name')).toBe('ABC');
      expect(await names('name', 'desc')).toBe('CBA');
      expect(await names('from_email')).toBe('CBA');
      expect(await names('type')).toBe('ACB');
      expect(await names('is_default', 'desc')).toBe('ACB');
      expect(await names('is_active')).toBe('ABC');
      expect(await names('daily_limit')).toBe('CBA');
      expect(await names('sent_today')).toBe('ABC');
      expect(await names('sent_today', 'desc')).toBe('CBA');
      expect(await names('last_used_at')).toBe('CAB');
      expect(await names('last_used_at', 'desc')).toBe('ACB');
      expect(await names('created_at')).toBe('ABC');
      await api.put(`/email-accounts/${a.id}`, { name: 'A' });
      expect(await names('updated_at', 'desc')).toMatch(/^A/);
      const paged = [1, 2, 3].map((page) => api.get(`/email-accounts?sort=sent_today&per_page=1&page=${page}`));
      expect((await Promise.all(paged)).map(({ data }) => data[0].name).join('')).toBe('CBA');
    });

    it.each([
      'page=0',
      'page=x',
      'per_page=0',
      'per_page=101',
      'type=imap',
      'type=',
      'is_active=true',
      'is_default=2',
      'sort=smtp_host',
      'sort=sent_count',
      'sort=constructor',
      'direction=up',
      'type=smtp&type=google',
    ])('returns 422 for the query %s', async (query) => {
      const field = query.split('=')[0] ?? '';
      expect(await errorsOf(api.get(`/email-accounts?${query}`))).toEqual([field]);
    });
  });

  describe('PUT /email-accounts/:id', () => {
    it('changes the fields that are sent, and no others', async () => {
      const account = await make();
      const { status, body } = await api.put(`/email-accounts/${account.id}`, {
        name: 'New',
        from_email: 'NEW@sender.test',
        from_name: 'New team',
        daily_limit: 7,
        is_active: false,
        is_default: true,
        sendgrid_api_key: 'SG.ignored',
      });
      expect(status).toBe(200);
      expect(body).toEqual({
        data: {
          ...account,
          name: 'New',
          from_email: 'new@sender.test',
          from_name: 'New team',
          daily_limit: 7,
          is_active: false,
          updated_at: expect.stringMatching(TIMESTAMP),
        },
      });
      const mailbox = await service.app.get(Mailboxes).find(await scopeOf(api), account.id);
      expect(mailbox?.credentials).toMatchObject({
        smtp: { port: 2525, login: { type: 'password', password: 'correct horse' }, encryption: 'tls' },
      });
      const [row] = await service.database.query('SELECT * FROM email_accounts WHERE id = $1', [account.id]);
      expect(row?.sendgrid_api_key_encrypted).toBeNull();
    });

    it('changes nothing if the body is empty', async () => {
      const account = await make();
      const { status, data } = await api.put(`/email-accounts/${account.id}`, {});
      expect([status, data]).toEqual([200, account]);
      expect((await api.put(`/email-accounts/${account.id}`)).status).toBe(200);
    });

    it('replaces the credentials that are sent', async () => {
      const account = await make();
      const changes = { smtp_password: 'new one', smtp_username: 'u2', smtp_host: '127.0.0.2', smtp_encryption: 'ssl' };
      await api.put(`/email-accounts/${account.id}`, changes);
      const mailbox = await service.app.get(Mailboxes).find(await scopeOf(api), account.id);
      expect(mailbox?.credentials).toEqual({
        type: 'smtp',
        smtp: {
          host: '127.0.0.2',
          port: 2525,
          username: 'u2',
          login: { type: 'password', password: 'new one' },
          encryption: 'ssl',
        },
      });
    });

    it.each([
      { smtp_host: '127.0.0.9' },
      { smtp_port: 587 },
      { smtp_username: 'other' },
      { smtp_encryption: 'ssl' },
      { smtp_host: '127.0.0.9', smtp_port: 25 },
    ])('returns 422 for %j without the password, and changes nothing', async (changes) => {
      const account = await make();
      const put = (body: object) => api.put(`/email-accounts/${account.id}`, body);
      expect(await errorsOf(put({ name: 'New', ...changes }))).toEqual(['smtp_password']);
      expect((await api.get(`/email-accounts/${account.id}`)).data).toEqual(account);
      const mailbox = await service.app.get(Mailboxes).find(await scopeOf(api), account.id);
      expect(mailbox?.credentials).toMatchObject({ smtp: { host: '127.0.0.1', port: 2525, username: 'mailer' } });
      expect((await put({ ...changes, smtp_password: 'entered again' })).status).toBe(200);
    });

    it('accepts the stored connection without the password, so that a response can be written back', async () => {
      const account = await make({ smtp_host: 'LocalHost', smtp_encryption: 'ssl' });
      const { status, data } = await api.put(`/email-accounts/${account.id}`, { ...account, smtp_username: 'mailer' });
      expect([status, data]).toEqual([200, { ...account, updated_at: expect.stringMatching(TIMESTAMP) }]);
      expect((await api.put(`/email-accounts/${account.id}`, { smtp_host: 'localhost.' })).status).toBe(200);
      expect(await errorsOf(api.put(`/email-accounts/${account.id}`, { smtp_encryption: null }))).toEqual([
        'smtp_password',
      ]);
      const { data: grid } = await api.post('/email-accounts', sendgridAccount());
      expect((await api.put(`/email-accounts/${grid.id}`, grid)).status).toBe(200);
    });

    it('names every field that is wrong for the stored account', async () => {
      const { id } = await make();
      const changes = { type: 'sendgrid', smtp_host: '10.0.0.1' };
      expect(await errorsOf(api.put(`/email-accounts/${id}`, changes))).toEqual(['smtp_host', 'smtp_password', 'type']);
    });

    it('never combines the password of one of two concurrent requests with the host of the other', async () => {
      const { id } = await make();
      const put = (host: string, fields: object = {}) =>
        api.put(`/email-accounts/${id}`, { smtp_host: host, ...fields });
      for (let round = 0; round < 10; round++) {
        const own = `of 127.0.1.${round}`;
        await Promise.all([
          put(`127.0.1.${round}`, { smtp_password: own }),
          put(`127.0.1.${round}`),
          put(`127.0.2.${round}`),
          put(`127.0.2.${round}`, { smtp_password: `of 127.0.2.${round}` }),
        ]);
        const mailbox = await service.app.get(Mailboxes).find(await scopeOf(api), id);
        const { smtp } = mailbox?.credentials as PasswordMailbox;
        expect(smtp.login).toEqual({ type: 'password', password: `of ${smtp.host}` });
      }
    });

    it('returns 422 for another type', async () => {
      const account = await make();
      for (const type of ['sendgrid', 'google', 'imap', '', 5, null]) {
        expect([type, await errorsOf(api.put(`/email-accounts/${account.id}`, { type }))]).toEqual([type, ['type']]);
      }
      expect((await api.put(`/email-accounts/${account.id}`, { type: 'smtp', name: 'Same' })).data.name).toBe('Same');
    });

    it('ignores SMTP fields of a SendGrid account', async () => {
      const { data } = await api.post('/email-accounts', sendgridAccount());
      const changes = { name: 'Other', smtp_host: '10.0.0.1', smtp_password: 5, smtp_port: 'x', smtp_username: null };
      expect((await api.put(`/email-accounts/${data.id}`, changes)).data.name).toBe('Other');
      const [row] = await service.database.query('SELECT * FROM email_accounts WHERE id = $1', [data.id]);
      expect([row?.smtp_host, row?.smtp_port, row?.smtp_password_encrypted]).toEqual([null, null, null]);
      await api.put(`/email-accounts/${data.id}`, { sendgrid_api_key: 'SG.second' });
      const mailbox = await service.app.get(Mailboxes).find(await scopeOf(api), data.id);
      expect(mailbox?.credentials).toEqual({ type: 'sendgrid', api_key: 'SG.second' });
    });

    it('reads the mailbox of an account with an IMAP server, which needs its password again when it changes', async () => {
      const { data: created } = await api.post('/email-accounts', smtp());
      expect(created).toMatchObject({
        imap_host: null,
        imap_port: 993,
        imap_encryption: 'ssl',
        reads_mailbox: false,
        mailbox_read_at: null,
      });
      const change = (fields: object) => api.put(`/email-accounts/${created.id}`, fields);
      expect(await errorsOf(change({ imap_host: 'imap.test' }))).toEqual(['imap_password']);
      const { data } = await change({ imap_host: 'imap.test', imap_password: 'secret' });
      expect(data).toMatchObject({ imap_host: 'imap.test', imap_port: 993, reads_mailbox: true });
      for (const fields of [{ imap_port: 143 }, { imap_encryption: 'tls' }, { imap_username: 'other' }])
        expect(await errorsOf(change(fields))).toEqual(['imap_password']);
      expect(await errorsOf(change({ imap_password: null }))).toEqual(['smtp_password']);
      expect((await change({ imap_host: 'IMAP.test', imap_port: 993, name: 'Other' })).status).toBe(200);
      expect((await change({ imap_port: 143, imap_encryption: 'tls', smtp_password: 'new' })).data).toMatchObject({
        imap_port: 143,
        imap_encryption: 'tls',
      });
      expect((await change({ imap_host: null })).data).toMatchObject({ imap_host: null, reads_mailbox: false });
      expect((await change({ imap_port: null, imap_encryption: null })).data).toMatchObject({
        imap_port: 993,
        imap_encryption: 'ssl',
      });
    });

    it('refuses an IMAP server that is not public', async () => {
      const fields = { imap_host: '10.0.0.1', imap_password: 'secret' };
      expect(await errorsOf(api.post('/email-accounts', smtp(fields)))).toEqual(['imap_host']);
    });

    it.each<[string, unknown[]]>([
      ['name', ['', 5, null, 'x'.repeat(256)]],
      ['from_email', ['', 'nobody', null]],
      ['from_name', ['', null]],
      ['daily_limit', [0, 10_001, '5', 1.5]],
      ['is_active', [1, 'true']],
      ['smtp_host', ['', 'a b', null]],
      ['smtp_port', [26, '587', null]],
      ['smtp_username', ['', null]],
      ['smtp_password', ['', null, 5]],
      ['smtp_encryption', ['none', '']],
    ])('returns 422 for invalid values of %s', async (field, values) => {
      const { id } = await make();
      for (const value of values) {
        const response = api.put(`/email-accounts/${id}`, { [field]: value });
        expect([value, await errorsOf(response)]).toEqual([value, [field]]);
      }
    });
  });

  describe('the gap and the ramp', () => {
    const today = async (): Promise<string> => {
      const [row] = await service.database.query<{ day: string }>(
        `SELECT (now() AT TIME ZONE 'UTC')::date::text AS day`,
      );
      return row?.day ?? '';
    };
    const put = async (id: number, fields: object) => {
      const { status, data } = await api.put(`/email-accounts/${id}`, fields);
      expect(status).toBe(200);
      return data;
    };
    /** Dates the begin of the ramp back to the day before, on which messages were sent. */
    const yesterday = (id: number) =>
      service.database.query(
        `UPDATE email_accounts SET ramp_started_on = ramp_started_on - 1, counted_on = ramp_started_on - 1, sent_count = 9
         WHERE id = $1`,
        [id],
      );
    const stats = async (id: number) => (await api.get(`/email-accounts/${id}/stats`)).data;

    it('accepts its limits', async () => {
      const least = { min_seconds_between: 0, ramp_start: 1, ramp_per_day: 1 };
      const greatest = { min_seconds_between: 86_400, ramp_start: 10_000, ramp_per_day: 1_000 };
      expect(await make(least)).toMatchObject({ ...least, ramp_started_on: await today() });
      expect(await make(greatest)).toMatchObject({ ...greatest, ramp_started_on: await today() });
    });

    it('begins a ramp on the day when ramp_start is set, and again when it changes', async () => {
      const { id } = await make();
      expect(await put(id, { ramp_start: 20 })).toMatchObject({ ramp_start: 20, ramp_started_on: await today() });
      await yesterday(id);
      const begun = (await api.get(`/email-accounts/${id}`)).data;
      expect(begun.ramp_started_on < (await today())).toBe(true);
      expect(await put(id, begun)).toMatchObject({ ramp_start: 20, ramp_started_on: begun.ramp_started_on });
      expect(await put(id, { ramp_per_day: 7, ramp_started_on: '2020-01-01' })).toMatchObject({
        ramp_per_day: 7,
        ramp_started_on: begun.ramp_started_on,
      });
      expect(await stats(id)).toMatchObject({ effective_limit_today: 27, remaining_today: 27 });
      expect(await put(id, { ramp_start: 30 })).toMatchObject({ ramp_start: 30, ramp_started_on: await today() });
      expect(await stats(id)).toMatchObject({ effective_limit_today: 30, daily_limit: 500 });
    });

    it('ends a ramp with null, and shows when none began', async () => {
      const { id } = await make({ ramp_start: 20 });
      expect(await put(id, { ramp_start: null })).toMatchObject({ ramp_start: null, ramp_started_on: null });
      expect(await stats(id)).toMatchObject({ effective_limit_today: 500, remaining_today: 500 });
      expect(await put(id, { ramp_per_day: null, min_seconds_between: null })).toMatchObject({
        ramp_per_day: 5,
        min_seconds_between: 0,
        ramp_started_on: null,
      });
    });

    it('limits what is left today by the ramp', async () => {
      const { id } = await make({ daily_limit: 25, ramp_start: 20 });
      await service.database.query(
        `UPDATE email_accounts SET sent_count = 20, counted_on = (now() AT TIME ZONE 'UTC')::date WHERE id = $1`,
        [id],
      );
      const reached = { effective_limit_today: 20, remaining_today: 0, can_send_today: false };
      expect(await stats(id)).toMatchObject({ ...reached, daily_limit: 25, sent_today: 20 });
      await put(id, { daily_limit: 10 });
      expect(await stats(id)).toMatchObject({ effective_limit_today: 10, remaining_today: 0, can_send_today: false });
      await put(id, { daily_limit: 30, ramp_start: 40 });
      expect(await stats(id)).toMatchObject({ effective_limit_today: 30, remaining_today: 10, can_send_today: true });
    });

    it('does not lose a day of the ramp when the counter is reset', async () => {
      const { id } = await make({ ramp_start: 20 });
      await yesterday(id);
      expect(await stats(id)).toMatchObject({ effective_limit_today: 25, sent_today: 0 });
      await api.post(`/email-accounts/${id}/reset-counter`);
      expect(await stats(id)).toMatchObject({ effective_limit_today: 25, sent_today: 0 });
    });
  });

  describe('the daily count', () => {
    const count = (id: number, sentCount: number, day: string) =>
      service.database.query(
        `UPDATE email_accounts SET sent_count = $2, counted_on = (now() AT TIME ZONE 'UTC')::date + $3::int,
           last_used_at = '2026-11-20T10:00:00Z' WHERE id = $1`,
        [id, sentCount, day],
      );

    it('is sent_today, which is 0 on another day', async () => {
      const { id } = await make();
      await count(id, 12, '0');
      expect((await api.get(`/email-accounts/${id}`)).data).toMatchObject({
        sent_today: 12,
        last_used_at: '2026-11-20T10:00:00.000Z',
      });
      await count(id, 12, '-1');
      expect((await api.get(`/email-accounts/${id}`)).data.sent_today).toBe(0);
      expect((await api.get('/email-accounts')).data[0].sent_today).toBe(0);
    });

    it('is part of the stats', async () => {
      const { id } = await make({ daily_limit: 15 });
      const bare = {
        sent_today: 0,
        daily_limit: 15,
        effective_limit_today: 15,
        remaining_today: 15,
        can_send_today: true,
        total_sent: 0,
        sent_last_7_days: 0,
        sent_last_30_days: 0,
        last_used_at: null,
      };
      expect((await api.get(`/email-accounts/${id}/stats`)).body).toEqual({ data: bare });
      await count(id, 12, '0');
      await service.database.query(
        `INSERT INTO email_account_days (workspace_id, email_account_id, day, sent)
         SELECT $1, $2, (now() AT TIME ZONE 'UTC')::date - ago, 10 ^ place
         FROM (VALUES (0, 0), (6, 1), (7, 2), (29, 3), (30, 4)) AS days (ago, place)`,
        [api.workspaceId, id],
      );
      expect((await api.get(`/email-accounts/${id}/stats`)).data).toEqual({
        sent_today: 12,
        daily_limit: 15,
        effective_limit_today: 15,
        remaining_today: 3,
        can_send_today: true,
        total_sent: 11_111,
        sent_last_7_days: 11,
        sent_last_30_days: 1111,
        last_used_at: '2026-11-20T10:00:00.000Z',
      });
    });

    it('allows sending while the account is active and under its limit', async () => {
      const { id } = await make({ daily_limit: 10 });
      const stats = async () => (await api.get(`/email-accounts/${id}/stats`)).data;
      await count(id, 11, '0');
      expect(await stats()).toMatchObject({ remaining_today: 0, can_send_today: false });
      await api.post(`/email-accounts/${id}/reset-counter`);
      expect(await stats()).toMatchObject({ sent_today: 0, remaining_today: 10, can_send_today: true });
      await api.put(`/email-accounts/${id}`, { is_active: false });
      expect(await stats()).toMatchObject({ remaining_today: 10, can_send_today: false });
    });

    it('is set to 0 by reset-counter', async () => {
      const account = await make();
      await count(account.id, 12, '0');
      const { status, body } = await api.post(`/email-accounts/${account.id}/reset-counter`);
      expect(status).toBe(200);
      expect(body).toEqual({
        data: {
          ...account,
          sent_today: 0,
          last_used_at: '2026-11-20T10:00:00.000Z',
          updated_at: expect.stringMatching(TIMESTAMP),
        },
      });
      expect((await api.post('/email-accounts/987654/reset-counter')).status).toBe(404);
    });
  });

  describe('POST /email-accounts/:id/test', () => {
    let sink: MailSink;
    beforeEach(async () => {
      sink = await MailSink.start();
    });
    afterEach(() => sink.stop());

    const test = async (changes: object = {}) => {
      const { id } = await make({ ...sink.account, ...changes });
      return api.post(`/email-accounts/${id}/test`);
    };

    it('logs in and sends nothing, also with an inactive account', async () => {
      const { status, body } = await test({ is_active: false });
      expect(status).toBe(200);
      expect(body).toEqual({ data: { success: true, message: expect.any(String) } });
      expect(sink.logins).toEqual(['mailer']);
      expect(sink.mails).toEqual([]);
    });

    it('returns why the login failed, without the password', async () => {
      sink.misbehave({ at: 'login', refuse: [535, '5.7.8 not hunter22, aHVudGVyMjI='] });
      const { status, body } = await test({ smtp_password: 'hunter22' });
      expect(status).toBe(422);
      expect(body).toEqual({
        data: {
          success: false,
          message: 'The server refused the user name and password: 535 5.7.8 not [hidden], [hidden]',
        },
      });
    });

    it('returns why the connection failed', async () => {
      const failure = async (changes: object) => {
        const { status, data } = await test(changes);
        expect([status, data.success]).toEqual([422, false]);
        return data.message;
      };
      expect(await failure({ smtp_host: 'mail.nowhere.invalid' })).toContain('mail.nowhere.invalid');
      expect(await failure({ smtp_port: 465, smtp_host: sink.host })).toContain('refused');
      expect(await failure({ smtp_encryption: 'ssl' })).toContain('TLS');
    });

    it('does not connect to a host that has become private', async () => {
      const { id } = await make(sink.account);
      await service.database.query(`UPDATE email_accounts SET smtp_host = '10.0.0.1' WHERE id = $1`, [id]);
      const { status, data } = await api.post(`/email-accounts/${id}/test`);
      expect([status, data]).toEqual([422, { success: false, message: 'The host 10.0.0.1 is not public' }]);
    });

    it('verifies the API key of SendGrid', async () => {
      const good = (await api.post('/email-accounts', sendgridAccount())).data;
      const bad = (await api.post('/email-accounts', sendgridAccount({ sendgrid_api_key: 'SG.wrong' }))).data;
      expect(await api.post(`/email-accounts/${good.id}/test`)).toMatchObject({ status: 200, data: { success: true } });
      const refused = await api.post(`/email-accounts/${bad.id}/test`);
      expect(refused).toMatchObject({ status: 422, data: { success: false } });
      expect(refused.data.message).not.toContain('SG.wrong');
    });

    it('returns 422 if the credentials cannot be decrypted, or there are none', async () => {
      const broken = await make(sink.account);
      await service.database.query(`UPDATE email_accounts SET smtp_password_encrypted = 'v1.x.y' WHERE id = $1`, [
        broken.id,
      ]);
      const [google] = await service.database.query(
        `INSERT INTO email_accounts (workspace_id, name, type, from_email, from_name)
         VALUES ($1, 'G', 'google', 'g@x.test', 'G') RETURNING id::int`,
        [api.workspaceId],
      );
      for (const id of [broken.id, google?.id]) {
        expect(await api.post(`/email-accounts/${id}/test`)).toMatchObject({ status: 422, data: { success: false } });
      }
      const mailbox = await service.app.get(Mailboxes).find(await scopeOf(api), broken.id);
      expect(() => mailbox?.credentials).toThrow(LoginRefused);
    });

    it('ignores an idempotency key, so that the test of a corrected account is a new one', async () => {
      const { id } = await make({ ...sink.account, smtp_password: 'wrong' });
      const once = () => api.post(`/email-accounts/${id}/test`, {}, { 'idempotency-key': 'test-1' });
      expect((await once()).status).toBe(422);
      await api.put(`/email-accounts/${id}`, { smtp_password: sink.account.smtp_password });
      const again = await once();
      expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, null]);
    });
  });

  describe('for sending', () => {
    it('makes an account inactive, once', async () => {
      const { id } = await make();
      const [mailboxes, scope] = [service.app.get(Mailboxes), await scopeOf(api)];
      await mailboxes.deactivate(scope, id, 'login_refused', 'the login was refused');
      const { data } = await api.get(`/email-accounts/${id}`);
      expect(data.is_active).toBe(false);
      await mailboxes.deactivate(scope, id, 'login_refused', 'the login was refused');
      expect((await api.get(`/email-accounts/${id}`)).data).toEqual(data);
      await expect(mailboxes.find(await scopeOf(await service.client()), id)).resolves.toBeUndefined();
    });

    it('publishes its events inside the transaction', async () => {
      const published: unknown[] = [];
      const events = service.app.get(DomainEvents);
      const publish = events.publish.bind(events);
      const spy = jest.spyOn(events, 'publish').mockImplementation(async (scope, name, payload) => {
        const { email_account_id: id } = payload as EmailAccountEvent;
        const [account] = await scope.of(EmailAccount).find({ id });
        published.push([name, id, account?.is_default, account?.is_active]);
        return publish(scope, name, payload);
      });
      const [first, second] = [await make(), await make()];
      await api.put(`/email-accounts/${first.id}`, { is_active: false });
      await api.post(`/email-accounts/${first.id}/reset-counter`);
      await api.post(`/email-accounts/${second.id}/set-default`);
      await api.post(`/email-accounts/${first.id}/set-default`);
      await api.delete(`/email-accounts/${first.id}`);
      spy.mockRestore();
      expect(published).toEqual([
        ['email_account.updated', first.id, true, false],
        ['email_account.updated', first.id, true, false],
        ['email_account.updated', second.id, true, true],
        ['email_account.updated', first.id, true, false],
        ['email_account.deleted', first.id, false, false],
      ]);
      expect((await api.get(`/email-accounts/${second.id}`)).data.is_default).toBe(true);
    });
  });
});
