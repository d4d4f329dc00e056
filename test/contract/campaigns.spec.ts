import type { ApiClient } from '../support/api-client.js';
import { httpError, TIMESTAMP } from '../support/expected.js';
import { useSharedService } from '../support/service.js';

const hours = { timezone: 'Europe/Paris', days: [1, 2, 3, 4, 5], start: '09:00', end: '18:00' };
const office = { ...hours, holidays: ['2026-12-25', '2027-01-01'], contact_timezone: true };
const HOLIDAYS = (count: number): string[] => Array.from({ length: count }, (_, index) => `schedule.holidays.${index}`);
const manyDays = (count: number): string[] =>
  Array.from({ length: count }, (_, day) => new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10));
const hello = { subject: 'Hello {{ first_name }}', body: '<p>Hello</p>' };

describe('/campaigns', () => {
  const service = useSharedService();
  let api: ApiClient;
  let other: ApiClient;
  beforeEach(async () => {
    api = await service.client();
    other = await service.client();
  });

  const account = async (values: object = {}, client = api) => {
    const smtp = { smtp_host: '127.0.0.1', smtp_port: 2525, smtp_username: 'u', smtp_password: 'p' };
    const sender = { name: 'Ann', from_name: 'Ann', from_email: 'ann@example.com', type: 'smtp' };
    const { status, data } = await client.post('/email-accounts', { ...sender, ...smtp, ...values });
    expect(status).toBe(201);
    return data.id as number;
  };
  const campaign = async (values: object = {}, client = api) => {
    const { status, data } = await client.post('/campaigns', { name: 'Spring', ...values });
    expect(status).toBe(201);
    return data;
  };
  const template = async (values: object = {}, client = api) => {
    const { status, data } = await client.post('/templates', {
      name: 'T',
      subject: 'From T',
      body: 'Body T',
      ...values,
    });
    expect(status).toBe(201);
    return data.id as number;
  };
  const stepsOf = async (id: number) => (await api.get(`/campaigns/${id}/steps`)).data;
  const subjectsOf = async (id: number) => {
    const steps: { subject: string; position: number }[] = await stepsOf(id);
    expect(steps.map(({ position }) => position)).toEqual(steps.map((_, index) => index + 1));
    return steps.map(({ subject }) => subject);
  };
  const errorKeysOf = async (call: ReturnType<ApiClient['post']>): Promise<string[]> => {
    const { status, body } = await call;
    expect(status).toBe(422);
    expect(body).toMatchObject({ error: 'ValidationError', code: 422 });
    return Object.keys(body.errors).sort();
  };

  describe('POST /campaigns', () => {
    it('creates a campaign from a name alone', async () => {
      const { status, body } = await api.post('/campaigns', { name: '  Été 🌞 ' });
      expect(status).toBe(201);
      expect(body).toEqual({
        data: {
          id: expect.any(Number),
          name: 'Été 🌞',
          description: null,
          status: 'draft',
          email_account_ids: [],
          schedule: null,
          track_opens: true,
          track_clicks: true,
          stop_on_reply: true,
          unsubscribe_footer: true,
          language: 'en',
          on_unknown: 'resend',
          stop_at_bounce_rate: 0.1,
          stop_at_complaint_rate: 0.003,
          max_new_contacts_per_day: null,
          min_days_since_last_message: null,
          skip_running_elsewhere: false,
          auto_enroll: null,
          stop_company_on_reply: false,
          steps_count: 0,
          contacts_count: 0,
          started_at: null,
          paused_at: null,
          pause_reason: null,
          completed_at: null,
          created_at: expect.stringMatching(TIMESTAMP),
          updated_at: expect.stringMatching(TIMESTAMP),
        },
      });
      expect((await api.get(`/campaigns/${body.data.id}`)).body).toEqual(body);
    });

    it('stores all fields, in the order of the accounts, and ignores read-only ones', async () => {
      const [first, second] = [await account(), await account()];
      const input = {
        name: 'n'.repeat(255),
        description: 'd',
        email_account_ids: [second, first, second],
        schedule: office,
        track_opens: false,
        track_clicks: false,
        stop_on_reply: false,
        unsubscribe_footer: false,
        language: 'nl',
        on_unknown: 'hold',
        stop_at_bounce_rate: 0.29,
        stop_at_complaint_rate: 1,
        max_new_contacts_per_day: 25,
        min_days_since_last_message: 30,
        skip_running_elsewhere: true,
        stop_company_on_reply: true,
      };
      const { data } = await api.post('/campaigns', { ...input, id: 1, status: 'draft', contacts_count: 9 });
      expect(data).toMatchObject({
        ...input,
        email_account_ids: [second, first],
        schedule: office,
        status: 'draft',
        contacts_count: 0,
      });
      expect(data.schedule).toEqual(office);
    });

    it('stores a window over midnight, 400 holidays, and the defaults of a schedule', async () => {
      const night = { ...hours, start: '22:00', end: '06:00', holidays: manyDays(400), contact_timezone: false };
      expect((await campaign({ schedule: night })).schedule).toEqual(night);
      const defaults = { ...hours, holidays: [], contact_timezone: false };
      expect((await campaign({ schedule: hours })).schedule).toEqual(defaults);
      const nulls = { ...hours, holidays: null, contact_timezone: null };
      expect((await campaign({ schedule: nulls })).schedule).toEqual(defaults);
    });

    it.each(
      [
        'UTC',
        'GMT',
        'Etc/GMT+5',
        'EST',
        'HST',
        'EST5EDT',
        'CET',
        'GB',
        'PRC',
        'NZ-CHAT',
        'US/Pacific',
        'Asia/Calcutta',
      ].concat(['Europe/Kyiv', 'America/Argentina/Buenos_Aires', 'europe/paris']),
    )('stores a schedule in the time zone %s of IANA', async (timezone) => {
      expect((await campaign({ schedule: { ...hours, timezone } })).schedule).toMatchObject({ timezone });
    });

    it('shows the defaults of a schedule that an earlier version has stored', async () => {
      const { id } = await campaign();
      await service.database.query('UPDATE campaigns SET schedule = $2 WHERE id = $1', [id, JSON.stringify(hours)]);
      const { data } = await api.get(`/campaigns/${id}`);
      expect(data.schedule).toEqual({ ...hours, holidays: [], contact_timezone: false });
    });

    it('stores the default for a field that is null', async () => {
      const data = await campaign({
        description: null,
        email_account_ids: null,
        schedule: null,
        track_opens: null,
        track_clicks: null,
        stop_on_reply: null,
        unsubscribe_footer: null,
        language: null,
        on_unknown: null,
        max_new_contacts_per_day: null,
        min_days_since_last_message: null,
        steps: null,
      });
      expect(data).toMatchObject({ email_account_ids: [], track_opens: true, on_unknown: 'resend', steps_count: 0 });
    });

    it('measures what the settings of the workspace say, unless the input says otherwise', async () => {
      const client = await service.client();
      await client.put('/settings', { track_opens: false, track_clicks: false });
      expect(await campaign({}, client)).toMatchObject({ track_opens: false, track_clicks: false });
      const { id, ...own } = await campaign({ track_opens: null, track_clicks: true }, client);
      expect(own).toMatchObject({ track_opens: false, track_clicks: true });
      const put = async (input: object) => (await client.put(`/campaigns/${id}`, input)).data;
      expect(await put({ track_clicks: null })).toMatchObject({ track_opens: false, track_clicks: false });
      await client.put('/settings', { track_opens: true });
      expect(await put({ name: 'New' })).toMatchObject({ track_opens: false });
    });

    it('creates the steps in their order, also from templates', async () => {
      const templateId = await template();
      const { id, steps_count: count } = await campaign({
        steps: [
          { ...hello, delay_minutes: 5, same_thread: true },
          { template_id: templateId },
          { template_id: templateId, subject: 'Own' },
          { ...hello, subject: 'Placed first', position: 1 },
        ],
      });
      expect(count).toBe(4);
      expect(await subjectsOf(id)).toEqual(['Placed first', 'Hello {{ first_name }}', 'From T', 'Own']);
      expect(await stepsOf(id)).toMatchObject([
        { template_id: null, delay_minutes: 0, same_thread: false },
        { template_id: null, delay_minutes: 5, same_thread: true, body: '<p>Hello</p>' },
        { template_id: templateId, body: 'Body T' },
        { template_id: templateId, body: 'Body T' },
      ]);
    });

    it.each<[string, object, string[]]>([
      ['no name', {}, ['name']],
      ['an empty name', { name: '  ' }, ['name']],
      ['a long name', { name: 'n'.repeat(256) }, ['name']],
      ['a name that is not a string', { name: ['Spring'] }, ['name']],
      ['a null name', { name: null }, ['name']],
      ['a long description', { name: 'n', description: 'd'.repeat(1001) }, ['description']],
      [
        'flags that are not booleans',
        { name: 'n', track_opens: 1, track_clicks: 'true' },
        ['track_clicks', 'track_opens'],
      ],
      ['no new contacts', { name: 'n', max_new_contacts_per_day: 0 }, ['max_new_contacts_per_day']],
      ['too many new contacts', { name: 'n', max_new_contacts_per_day: 1_000_001 }, ['max_new_contacts_per_day']],
      ['a part of a new contact', { name: 'n', max_new_contacts_per_day: 1.5 }, ['max_new_contacts_per_day']],
      ['no days between messages', { name: 'n', min_days_since_last_message: 0 }, ['min_days_since_last_message']],
      ['more than a year', { name: 'n', min_days_since_last_message: 366 }, ['min_days_since_last_message']],
      ['an unknown on_unknown', { name: 'n', on_unknown: 'guess' }, ['on_unknown']],
      [
        'rates that are no numbers from 0 to 1',
        { name: 'n', stop_at_bounce_rate: 1.01, stop_at_complaint_rate: '0.1' },
        ['stop_at_bounce_rate', 'stop_at_complaint_rate'],
      ],
      [
        'a negative rate, and a list',
        { name: 'n', stop_at_bounce_rate: -0.1, stop_at_complaint_rate: [0] },
        ['stop_at_bounce_rate', 'stop_at_complaint_rate'],
      ],
      ['accounts that are not an array', { name: 'n', email_account_ids: 5 }, ['email_account_ids']],
      [
        'accounts that are not IDs',
        { name: 'n', email_account_ids: ['x', 0] },
        ['email_account_ids.0', 'email_account_ids.1'],
      ],
      ['an ID above 2^53', { name: 'n', email_account_ids: [2 ** 60] }, ['email_account_ids.0']],
      ['too many steps', { name: 'n', steps: Array(101).fill(hello) }, ['steps']],
      ['steps that are not an array', { name: 'n', steps: hello }, ['steps']],
      [
        'steps that are not objects',
        { name: 'n', steps: [hello, 'x', null, [], [hello]] },
        ['steps.1', 'steps.2', 'steps.3', 'steps.4'],
      ],
      ['a step without texts', { name: 'n', steps: [hello, {}] }, ['steps.1.body', 'steps.1.subject']],
      [
        'texts that do not parse as templates',
        { name: 'n', steps: [{ subject: '{{ a', body: '{{ }}' }] },
        ['steps.0.body', 'steps.0.subject'],
      ],
      [
        'a delay above the maximum',
        { name: 'n', steps: [{ ...hello, delay_minutes: 525_601 }] },
        ['steps.0.delay_minutes'],
      ],
      ['a NUL character in a step', { name: 'n', steps: [{ ...hello, subject: 'a\0b' }] }, ['steps.0.subject']],
    ])('returns 422 for %s', async (_, body, errorKeys) => {
      expect(await errorKeysOf(api.post('/campaigns', body))).toEqual(errorKeys);
    });

    it.each<[string, unknown, string[]]>([
      ['a string', 'always', ['schedule']],
      ['an array', [office], ['schedule']],
      ['an empty array', [], ['schedule']],
      ['empty', {}, ['schedule.days', 'schedule.end', 'schedule.start', 'schedule.timezone']],
      ['in an unknown time zone', { ...office, timezone: 'Mars/Base' }, ['schedule.timezone']],
      ['in a time zone that only Java knows', { ...office, timezone: 'AGT' }, ['schedule.timezone']],
      ['in an abbreviation of several time zones', { ...office, timezone: 'ist' }, ['schedule.timezone']],
      ['in a time zone that IANA has removed', { ...office, timezone: 'US/Pacific-New' }, ['schedule.timezone']],
      ['in an offset instead of a time zone', { ...office, timezone: '+02:00' }, ['schedule.timezone']],
      ['without days', { ...office, days: [] }, ['schedule.days']],
      ['on the same day twice', { ...office, days: [1, 1] }, ['schedule.days']],
      [
        'on invalid days',
        { ...office, days: [1, 8, 0, '2'] },
        ['schedule.days.1', 'schedule.days.2', 'schedule.days.3'],
      ],
      ['at invalid times', { ...office, start: '9:00', end: '24:00' }, ['schedule.end', 'schedule.start']],
      ['at a time with seconds', { ...office, start: '09:00:00' }, ['schedule.start']],
      ['ending at its start', { ...office, end: '09:00' }, ['schedule.end']],
      ['with days that do not exist', { ...office, holidays: ['2026-02-29', '2026-2-1', 5] }, HOLIDAYS(3)],
      ['with a holiday twice', { ...office, holidays: ['2026-12-25', '2026-12-25'] }, ['schedule.holidays']],
      ['with 401 holidays', { ...office, holidays: manyDays(401) }, ['schedule.holidays']],
      ['with one holiday as a string', { ...office, holidays: '2026-12-25' }, ['schedule.holidays']],
      ['with a time zone of contacts', { ...office, contact_timezone: 'UTC' }, ['schedule.contact_timezone']],
    ])('returns 422 for a schedule that is %s', async (_, schedule, errorKeys) => {
      expect(await errorKeysOf(api.post('/campaigns', { name: 'n', schedule }))).toEqual(errorKeys);
    });

    it('returns 422 with the index of each account and template that does not exist in the workspace', async () => {
      const [own, foreign] = [await account(), await account({}, other)];
      expect(
        await errorKeysOf(api.post('/campaigns', { name: 'n', email_account_ids: [own, foreign, 999_999] })),
      ).toEqual(['email_account_ids.1', 'email_account_ids.2']);
      const steps = [hello, { template_id: await template({}, other) }, { ...hello, template_id: 999_999 }];
      expect(await errorKeysOf(api.post('/campaigns', { name: 'n', steps }))).toEqual([
        'steps.1.template_id',
        'steps.2.template_id',
      ]);
      expect((await api.get('/campaigns')).body.meta.total).toBe(0);
    });
  });

  describe('GET /campaigns', () => {
    const namesOf = async (query = ''): Promise<string[]> =>
      (await api.get(`/campaigns?${query}`)).data.map(({ name }: { name: string }) => name);

    it('returns pages of the campaigns of the workspace, newest first', async () => {
      for (const name of ['a', 'b', 'c']) await campaign({ name });
      await campaign({ name: 'foreign' }, other);
      expect(await namesOf()).toEqual(['c', 'b', 'a']);
      const { body } = await api.get('/campaigns?per_page=2&page=2');
      expect(body.meta).toEqual({ current_page: 2, last_page: 2, per_page: 2, total: 3, count: 1 });
      expect(body.data[0]).toMatchObject({ name: 'a', email_account_ids: [], steps_count: 0, contacts_count: 0 });
      expect((await api.get('/campaigns')).body.meta.per_page).toBe(25);
    });

    it('searches by name, filters by status and sorts', async () => {
      for (const name of ['Spring sale', 'Autumn sale', '100%_sure']) await campaign({ name });
      await account();
      const { id } = await campaign({ name: 'Started', steps: [hello] });
      await api.post(`/campaigns/${id}/start`);
      expect(await namesOf('search=SALE%20spr')).toEqual(['Spring sale']);
      expect(await namesOf('search=%25_')).toEqual(['100%_sure']);
      expect(await namesOf('status=active')).toEqual(['Started']);
      expect(await namesOf('status=completed')).toEqual([]);
      expect(await namesOf('sort=name&direction=asc')).toEqual(['100%_sure', 'Autumn sale', 'Spring sale', 'Started']);
      expect((await namesOf('sort=started_at'))[0]).toBe('Started');
      expect((await namesOf('sort=started_at&direction=asc'))[0]).toBe('Started');
      expect((await namesOf('sort=status'))[0]).toBe('Started');
      expect((await namesOf('sort=status&direction=asc')).at(-1)).toBe('Started');
      expect((await namesOf('sort=updated_at'))[0]).toBe('Started');
    });

    it.each(['status=stopped', 'sort=description', 'direction=up', 'page=0', 'per_page=101', 'status='])(
      'returns 422 for %s',
      async (query) => {
        expect((await api.get(`/campaigns?${query}`)).status).toBe(422);
      },
    );
  });

  describe('PUT /campaigns/{id}', () => {
    it('changes the fields in the body and no others', async () => {
      const accountId = await account();
      const before = await campaign({
        description: 'd',
        schedule: office,
        email_account_ids: [accountId],
        steps: [hello],
      });
      const { status, data } = await api.put(`/campaigns/${before.id}`, { name: 'Summer', track_opens: false });
      expect(status).toBe(200);
      expect(data).toEqual({ ...before, name: 'Summer', track_opens: false, updated_at: data.updated_at });
      expect(Date.parse(data.updated_at)).toBeGreaterThan(Date.parse(before.updated_at));
    });

    it('changes nothing for a body without fields that it can set', async () => {
      const before = await campaign({ schedule: office });
      expect((await api.put(`/campaigns/${before.id}`)).body).toEqual({ data: before });
      expect((await api.put(`/campaigns/${before.id}`, { steps_count: 3, status: 'draft' })).body).toEqual({
        data: before,
      });
    });

    it('resets a field that is null', async () => {
      const before = await campaign({
        description: 'd',
        schedule: office,
        email_account_ids: [await account()],
        track_clicks: false,
        on_unknown: 'hold',
      });
      const cleared = {
        description: null,
        schedule: null,
        email_account_ids: null,
        track_clicks: null,
        on_unknown: null,
      };
      expect((await api.put(`/campaigns/${before.id}`, cleared)).data).toMatchObject({
        description: null,
        schedule: null,
        email_account_ids: [],
        track_clicks: true,
        on_unknown: 'resend',
      });
    });

    it('replaces the email accounts', async () => {
      const [first, second, third] = [await account(), await account(), await account()];
      const { id } = await campaign({ email_account_ids: [first, second] });
      const { data } = await api.put(`/campaigns/${id}`, { email_account_ids: [third, first] });
      expect(data.email_account_ids).toEqual([third, first]);
      await api.delete(`/email-accounts/${third}`);
      expect((await api.get(`/campaigns/${id}`)).data.email_account_ids).toEqual([first]);
    });

    it('replaces the email accounts completely when calls are concurrent', async () => {
      const ids = [await account(), await account(), await account()];
      const { id } = await campaign({ email_account_ids: ids });
      const orders = [ids, [...ids].reverse(), ids.slice(1), ids.slice(0, 1)];
      const responses = await Promise.all(
        orders.map((order) => api.put(`/campaigns/${id}`, { email_account_ids: order })),
      );
      expect(responses.map(({ status, data }) => [status, data.email_account_ids])).toEqual(
        orders.map((order) => [200, order]),
      );
    });

    it('returns 422 for invalid fields, and 404 first if the campaign does not exist', async () => {
      const { id } = await campaign();
      const wrong = { name: null, schedule: { ...office, timezone: 5 }, email_account_ids: [await account({}, other)] };
      expect(await errorKeysOf(api.put(`/campaigns/${id}`, wrong))).toEqual([
        'email_account_ids.0',
        'name',
        'schedule.timezone',
      ]);
      for (const unknown of [id + 1000, 'x', '0', '9007199254740993']) {
        expect((await api.put(`/campaigns/${unknown}`, { name: null })).body).toEqual(httpError(404));
      }
      expect((await other.put(`/campaigns/${id}`, { name: null })).status).toBe(404);
    });
  });

  describe('DELETE /campaigns/{id}', () => {
    it('deletes the campaign with its steps and enrollments', async () => {
      const { id } = await campaign({ steps: [hello, hello] });
      const [contact] = await service.database.query<{ id: number }>(
        `INSERT INTO contacts (workspace_id, email) VALUES ($1, 'ann@example.com') RETURNING id::int`,
        [api.workspaceId],
      );
      await api.post(`/campaigns/${id}/contacts`, { contact_ids: [contact?.id] });
      const { status, body } = await api.delete(`/campaigns/${id}`);
      expect([status, body]).toEqual([204, '']);
      for (const path of ['', '/steps', '/contacts', `/contacts/${contact?.id}`]) {
        expect((await api.get(`/campaigns/${id}${path}`)).status).toBe(404);
      }
      expect((await api.delete(`/campaigns/${id}`)).body).toEqual(httpError(404));
    });

    it('returns 409 while the campaign is active', async () => {
      await account();
      const { id } = await campaign({ steps: [hello] });
      await api.post(`/campaigns/${id}/start`);
      expect((await api.delete(`/campaigns/${id}`)).body).toEqual(httpError(409, 'campaign_active'));
      await api.post(`/campaigns/${id}/pause`);
      expect((await other.delete(`/campaigns/${id}`)).status).toBe(404);
      expect((await api.delete(`/campaigns/${id}`)).status).toBe(204);
    });
  });

  describe('POST /campaigns/{id}/start and /pause', () => {
    it('change the status from draft to active, to paused and to active', async () => {
      await account();
      const draft = await campaign({ steps: [hello] });
      const started = await api.post(`/campaigns/${draft.id}/start`);
      expect(started.status).toBe(200);
      expect(started.data).toEqual({
        ...draft,
        status: 'active',
        started_at: expect.stringMatching(TIMESTAMP),
        updated_at: started.data.updated_at,
      });
      const paused = await api.post(`/campaigns/${draft.id}/pause`);
      expect(paused.status).toBe(200);
      expect(paused.data).toMatchObject({ status: 'paused', paused_at: expect.stringMatching(TIMESTAMP) });
      const again = await api.post(`/campaigns/${draft.id}/start`);
      expect(again.data).toMatchObject({ status: 'active', started_at: started.data.started_at, paused_at: null });
    });

    it('return 409 if the status does not allow it', async () => {
      await account();
      const { id } = await campaign({ steps: [hello] });
      expect((await api.post(`/campaigns/${id}/pause`)).body).toEqual(httpError(409, 'not_active'));
      await api.post(`/campaigns/${id}/start`);
      expect((await api.post(`/campaigns/${id}/start`)).body).toEqual(httpError(409, 'already_active'));
      await api.post(`/campaigns/${id}/pause`);
      expect((await api.post(`/campaigns/${id}/pause`)).body).toEqual(httpError(409, 'not_active'));
    });

    it('start a campaign once when calls are concurrent', async () => {
      await account();
      const { id } = await campaign({ steps: [hello] });
      const responses = await Promise.all(Array.from({ length: 6 }, () => api.post(`/campaigns/${id}/start`)));
      expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
    });

    it('return 422 for a start without a step', async () => {
      await account();
      const { id } = await campaign();
      expect((await api.post(`/campaigns/${id}/start`)).body).toEqual(httpError(422, 'no_steps'));
    });

    it('return 422 for a start if neither an account of the campaign nor, if it has none, the default account is active', async () => {
      const { id } = await campaign({ steps: [hello] });
      expect((await api.post(`/campaigns/${id}/start`)).body).toEqual(httpError(422, 'no_account'));
      const [fallback, own, spare] = [await account(), await account({ is_active: false }), await account()];
      await api.put(`/campaigns/${id}`, { email_account_ids: [own] });
      expect((await api.post(`/campaigns/${id}/start`)).body).toEqual(httpError(422, 'no_account'));
      await api.put(`/campaigns/${id}`, { email_account_ids: [own, spare] });
      expect((await api.post(`/campaigns/${id}/start`)).status).toBe(200);
      await api.post(`/campaigns/${id}/pause`);
      await api.put(`/campaigns/${id}`, { email_account_ids: [] });
      await api.put(`/email-accounts/${fallback}`, { is_active: false });
      expect((await api.post(`/campaigns/${id}/start`)).status).toBe(422);
      await api.put(`/email-accounts/${fallback}`, { is_active: true });
      expect((await api.post(`/campaigns/${id}/start`)).status).toBe(200);
    });

    it('continue a campaign with its other accounts when one is deleted, and pause it when the last is deleted', async () => {
      const [, first, second, other] = [await account(), await account(), await account(), await account()];
      const { id } = await campaign({ steps: [hello], email_account_ids: [first, second] });
      const seen = async () => (await api.get(`/campaigns/${id}`)).data;
      const start = () => api.post(`/campaigns/${id}/start`);
      await start();
      await api.delete(`/email-accounts/${first}`);
      expect(await seen()).toMatchObject({ status: 'active', email_account_ids: [second], pause_reason: null });
      await api.delete(`/email-accounts/${second}`);
      expect(await seen()).toMatchObject({
        status: 'paused',
        email_account_ids: [],
        pause_reason: 'account_deleted',
        paused_at: expect.stringMatching(TIMESTAMP),
      });
      expect((await start()).body).toEqual(httpError(422, 'no_account'));
      await api.put(`/campaigns/${id}`, await seen());
      expect((await start()).body.reason).toBe('no_account');
      await api.put(`/campaigns/${id}`, { email_account_ids: [other] });
      expect(await seen()).toMatchObject({ status: 'paused', pause_reason: 'account_deleted' });
      expect((await start()).data).toMatchObject({ status: 'active', pause_reason: null, paused_at: null });
      expect((await api.post(`/campaigns/${id}/pause`)).data).toMatchObject({ status: 'paused', pause_reason: null });
    });

    it('return 422 for the start of a draft whose only account was deleted, until it has another', async () => {
      const [fallback, own] = [await account(), await account()];
      const { id } = await campaign({ steps: [hello], email_account_ids: [own] });
      await api.delete(`/email-accounts/${own}`);
      expect((await api.get(`/campaigns/${id}`)).data).toMatchObject({ status: 'draft', pause_reason: null });
      expect((await api.post(`/campaigns/${id}/start`)).body).toEqual(httpError(422, 'no_account'));
      await api.put(`/campaigns/${id}`, { email_account_ids: [fallback] });
      expect((await api.post(`/campaigns/${id}/start`)).status).toBe(200);
    });

    it('continue a campaign without own accounts with the next default account', async () => {
      const [first] = [await account(), await account()];
      const { id } = await campaign({ steps: [hello] });
      await api.post(`/campaigns/${id}/start`);
      await api.delete(`/email-accounts/${first}`);
      expect((await api.get(`/campaigns/${id}`)).data).toMatchObject({ status: 'active', pause_reason: null });
      await api.post(`/campaigns/${id}/pause`);
      expect((await api.post(`/campaigns/${id}/start`)).status).toBe(200);
    });

    it('never leave a campaign active without an account when starts, updates and deletions are concurrent', async () => {
      await account();
      for (let round = 0; round < 8; round++) {
        const [first, second] = [await account(), await account()];
        const { id } = await campaign({ steps: [hello], email_account_ids: [first] });
        const responses = await Promise.all([
          api.post(`/campaigns/${id}/start`),
          api.delete(`/email-accounts/${first}`),
          api.put(`/campaigns/${id}`, { email_account_ids: [second] }),
          api.delete(`/email-accounts/${second}`),
          api.post(`/campaigns/${id}/start`),
        ]);
        expect(responses.filter(({ status }) => status >= 500)).toEqual([]);
        const { data } = await api.get(`/campaigns/${id}`);
        expect([data.email_account_ids, data.status]).not.toEqual([[], 'active']);
      }
    });

    it('return 404 for a campaign of another workspace', async () => {
      const { id } = await campaign({ steps: [hello] });
      await account({}, other);
      for (const path of [`/campaigns/${id}/start`, `/campaigns/${id}/pause`]) {
        expect((await other.post(path)).body).toEqual(httpError(404));
      }
      expect((await api.post('/campaigns/x/start')).status).toBe(404);
    });
  });

  describe('/campaigns/{id}/steps', () => {
    it('returns steps with all of their fields, and the list without pages', async () => {
      const { id } = await campaign();
      const { status, data } = await api.post(`/campaigns/${id}/steps`, { ...hello, delay_minutes: 525_600 });
      expect(status).toBe(201);
      expect(data).toEqual({
        id: expect.any(Number),
        campaign_id: id,
        position: 1,
        template_id: null,
        subject: 'Hello {{ first_name }}',
        body: '<p>Hello</p>',
        delay_minutes: 525_600,
        same_thread: false,
        only_if: null,
        required_variables: [],
        variants: [],
        created_at: expect.stringMatching(TIMESTAMP),
        updated_at: expect.stringMatching(TIMESTAMP),
      });
      expect((await api.get(`/campaigns/${id}/steps`)).body).toEqual({ data: [data] });
      expect((await api.get(`/campaigns/${id}`)).data.steps_count).toBe(1);
    });

    it('adds a step at the end, or inserts it at a position', async () => {
      const { id } = await campaign({ steps: [{ ...hello, subject: 'a' }] });
      const add = async (subject: string, position?: number | null) =>
        (await api.post(`/campaigns/${id}/steps`, { ...hello, subject, position })).data.position;
      expect(await add('b')).toBe(2);
      expect(await add('first', 1)).toBe(1);
      expect(await add('second', 2)).toBe(2);
      expect(await add('beyond', 99)).toBe(5);
      expect(await add('last', null)).toBe(6);
      expect(await subjectsOf(id)).toEqual(['first', 'second', 'a', 'b', 'beyond', 'last']);
    });

    it('moves a step to its new position', async () => {
      const { id } = await campaign({ steps: ['a', 'b', 'c', 'd'].map((subject) => ({ ...hello, subject })) });
      const move = async (subject: string, position: number) => {
        const step = (await stepsOf(id)).find((each: { subject: string }) => each.subject === subject);
        return (await api.put(`/campaigns/${id}/steps/${step.id}`, { position })).data.position;
      };
      expect(await move('d', 1)).toBe(1);
      expect(await subjectsOf(id)).toEqual(['d', 'a', 'b', 'c']);
      expect(await move('d', 3)).toBe(3);
      expect(await subjectsOf(id)).toEqual(['a', 'b', 'd', 'c']);
      expect(await move('a', 99)).toBe(4);
      expect(await subjectsOf(id)).toEqual(['b', 'd', 'c', 'a']);
      expect(await move('c', 3)).toBe(3);
      expect(await subjectsOf(id)).toEqual(['b', 'd', 'c', 'a']);
    });

    it('numbers the steps without gaps when they are added, moved and deleted concurrently', async () => {
      const { id } = await campaign({ steps: ['a', 'b', 'c', 'd'].map((subject) => ({ ...hello, subject })) });
      const [a, b, c, d] = (await stepsOf(id)).map((step: { id: number }) => step.id);
      const responses = await Promise.all([
        api.post(`/campaigns/${id}/steps`, { ...hello, subject: 'e', position: 1 }),
        api.put(`/campaigns/${id}/steps/${a}`, { position: 4 }),
        api.delete(`/campaigns/${id}/steps/${b}`),
        api.post(`/campaigns/${id}/steps`, { ...hello, subject: 'f' }),
        api.put(`/campaigns/${id}/steps/${d}`, { position: 1 }),
        api.delete(`/campaigns/${id}/steps/${c}`),
      ]);
      expect(responses.map(({ status }) => status)).toEqual([201, 200, 204, 201, 200, 204]);
      expect((await subjectsOf(id)).sort()).toEqual(['a', 'd', 'e', 'f']);
    });

    it('changes the fields in the body and no others', async () => {
      const { id } = await campaign({ steps: [{ ...hello, delay_minutes: 5, same_thread: true }] });
      const [before] = await stepsOf(id);
      const path = `/campaigns/${id}/steps/${before.id}`;
      expect((await api.put(path, {})).data).toEqual(before);
      const { data } = await api.put(path, { body: 'New', same_thread: false, campaign_id: 1 });
      expect(data).toEqual({ ...before, body: 'New', same_thread: false, updated_at: data.updated_at });
      expect((await api.put(path, { delay_minutes: null, position: null })).data).toMatchObject({
        delay_minutes: 0,
        position: 1,
      });
    });

    it('copies missing texts from the template', async () => {
      const { id } = await campaign();
      const templateId = await template();
      const path = `/campaigns/${id}/steps`;
      const { data: copied } = await api.post(path, { template_id: templateId, subject: null });
      expect(copied).toMatchObject({ template_id: templateId, subject: 'From T', body: 'Body T' });
      const { data: mixed } = await api.post(path, { template_id: templateId, body: 'Own' });
      expect(mixed).toMatchObject({ template_id: templateId, subject: 'From T', body: 'Own' });
      const second = await template({ subject: 'From U', body: 'Body U' });
      expect((await api.put(`${path}/${copied.id}`, { template_id: second })).data).toMatchObject({
        template_id: second,
        subject: 'From U',
        body: 'Body U',
      });
      expect((await api.put(`${path}/${copied.id}`, { template_id: null })).data).toMatchObject({
        template_id: null,
        subject: 'From U',
      });
      expect((await api.delete(`/templates/${templateId}`)).status).toBe(204);
      expect((await stepsOf(id))[1]).toMatchObject({ template_id: null, subject: 'From T', body: 'Own' });
    });

    it.each<[string, object, string[]]>([
      ['an empty body', {}, ['body', 'subject']],
      ['a subject alone', { subject: 's' }, ['body']],
      ['empty texts', { subject: ' ', body: '' }, ['body', 'subject']],
      ['a long subject', { ...hello, subject: 's'.repeat(501) }, ['subject']],
      ['texts that do not parse', { subject: 'a {{ b', body: '{{ a b }}' }, ['body', 'subject']],
      ['wrong types', { subject: 5, body: ['b'], same_thread: 'yes' }, ['body', 'same_thread', 'subject']],
      ['a position below 1', { ...hello, position: 0 }, ['position']],
      ['a position that is not an integer', { ...hello, position: 1.5 }, ['position']],
      ['a negative delay', { ...hello, delay_minutes: -1 }, ['delay_minutes']],
      ['a delay of more than a year', { ...hello, delay_minutes: 525_601 }, ['delay_minutes']],
      ['a template that is not an ID', { ...hello, template_id: '5' }, ['template_id']],
      ['a template that does not exist', { template_id: 999_999 }, ['template_id']],
    ])('returns 422 for %s', async (_, body, errorKeys) => {
      const { id } = await campaign();
      expect(await errorKeysOf(api.post(`/campaigns/${id}/steps`, body))).toEqual(errorKeys);
      expect(await stepsOf(id)).toEqual([]);
    });

    it('returns 422 for invalid fields of an update', async () => {
      const { id } = await campaign({ steps: [hello] });
      const [step] = await stepsOf(id);
      const wrong = { subject: null, body: '', template_id: 'x', delay_minutes: '5', position: -1 };
      expect(await errorKeysOf(api.put(`/campaigns/${id}/steps/${step.id}`, wrong))).toEqual(Object.keys(wrong).sort());
      const foreign = { template_id: await template({}, other) };
      expect(await errorKeysOf(api.put(`/campaigns/${id}/steps/${step.id}`, foreign))).toEqual(['template_id']);
    });

    it('returns 404 for a step of another campaign or workspace before it validates the body', async () => {
      const [mine, mineToo] = [await campaign({ steps: [hello] }), await campaign()];
      const [step] = await stepsOf(mine.id);
      for (const path of [`/campaigns/${mineToo.id}/steps/${step.id}`, `/campaigns/${mine.id}/steps/x`]) {
        expect((await api.put(path, { subject: 5 })).body).toEqual(httpError(404));
        expect((await api.delete(path)).status).toBe(404);
      }
      for (const call of [
        other.get(`/campaigns/${mine.id}/steps`),
        other.post(`/campaigns/${mine.id}/steps`, {}),
        other.put(`/campaigns/${mine.id}/steps/${step.id}`, {}),
        other.delete(`/campaigns/${mine.id}/steps/${step.id}`),
      ]) {
        expect((await call).body).toEqual(httpError(404));
      }
      expect(await subjectsOf(mine.id)).toEqual([hello.subject]);
    });
  });

  it('returns 403 without the permission', async () => {
    const reader = await service.client(['campaigns:read']);
    const writer = await service.client(['campaigns:write']);
    expect((await reader.get('/campaigns')).status).toBe(200);
    expect((await reader.post('/campaigns', { name: 'n' })).status).toBe(403);
    expect((await writer.get('/campaigns')).status).toBe(403);
    const { data } = await writer.post('/campaigns', { name: 'n' });
    expect((await writer.get(`/campaigns/${data.id}/steps`)).status).toBe(403);
    expect((await writer.post(`/campaigns/${data.id}/pause`)).status).toBe(409);
  });
});
