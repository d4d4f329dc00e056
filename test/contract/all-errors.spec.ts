import { declaredChecks } from '@outreach/http-api/validation';
import { type InputClass, nestedInputs } from '@outreach/http-api/fields';
import { routeInputs } from '@outreach/http-api/openapi';
import { type Route, Routes } from '@outreach/http-api/routes';
import { WorkspaceFixture } from '../isolation/workspace-fixture.js';
import { ApiClient, type ApiResponse } from '../support/api-client.js';
import { useSharedService } from '../support/service.js';

const STEP = { subject: 'Hi', body: '<p>Hi</p>' };
const MAILBOX = {
  name: 'Mailbox',
  type: 'smtp',
  from_email: 'ann@example.com',
  from_name: 'Ann',
  smtp_port: 25,
  smtp_username: 'ann',
  smtp_password: 'secret',
};
/** Fields of a campaign, with values that are refused. */
const LIMITS = {
  max_new_contacts_per_day: 0,
  skip_running_elsewhere: 1,
  stop_company_on_reply: 'yes',
  language: 'ja',
  min_days_since_last_message: '7',
  auto_enroll: 'all',
};
const FIVE_DAYS_MS = 5 * 86_400_000;

/** A request with fields that are wrong in form and fields that only the workspace can judge. */
interface WrongRequest {
  /** The body, or the parameters of a query string. `ids` returns the ID of another workspace's record. */
  readonly input: (ids: (resource: string) => number) => object;
  /** The names of all wrong fields. */
  readonly errors: readonly string[];
}

const groups = (ids: (resource: string) => number) => ({
  company_id: ids('/companies/:id'),
  tags: [ids('/tags/:id'), 'x'],
  lists: [0, ids('/lists/:id')],
});
const GROUP_ERRORS = ['company_id', 'tags.0', 'tags.1', 'lists.0', 'lists.1'];

const contact = (fields: object): WrongRequest => ({
  input: (ids) => ({ ...fields, ...groups(ids), phone: 5, nickname: 'A', custom_fields: { mine: 7, 'a b': 1, x: {} } }),
  errors: ['email', ...GROUP_ERRORS, 'phone', 'nickname', 'custom_fields.mine', 'custom_fields.a b', 'custom_fields.x'],
});

const segment = (): WrongRequest => ({
  input: (ids) => ({
    name: 5,
    match_type: 'some',
    conditions: [
      { field: 'tag_id', operator: 'equals', value: ids('/tags/:id') },
      { field: 'status', operator: 'contains', value: 'x', connector: 'xor' },
      { field: 'custom_fields.none', operator: 'equals', value: 'x' },
      { field: 'created_at', operator: 'is', value: 'yesterday' },
      { field: 'list_id', operator: 'equals', value: String(ids('/lists/:id')), values: [] },
      { field: 'email', operator: 'contains' },
      7,
    ],
  }),
  errors: [
    'name',
    'match_type',
    'conditions.0.value',
    'conditions.1.operator',
    'conditions.1.value',
    'conditions.1.connector',
    'conditions.2.field',
    'conditions.3.operator',
    'conditions.3.value',
    'conditions.4.value',
    'conditions.4.values',
    'conditions.5.value',
    'conditions.6',
  ],
});

const members: WrongRequest = {
  input: (ids) => ({ contact_ids: ['x', ids('/contacts/:id')], contacts: [] }),
  errors: ['contact_ids.0', 'contact_ids.1', 'contacts'],
};

const step: WrongRequest = {
  input: (ids) => ({ body: '{{ a', template_id: ids('/templates/:id'), delay_minutes: -1, delay_days: 2 }),
  errors: ['body', 'template_id', 'delay_minutes', 'delay_days'],
};

const filters: WrongRequest = {
  input: (ids) => ({
    company_id: ids('/companies/:id'),
    tag_id: ids('/tags/:id'),
    list_id: 'x',
    status: 'asleep',
    per_page: 0,
  }),
  errors: ['company_id', 'tag_id', 'list_id', 'status', 'per_page'],
};

const connection: WrongRequest = {
  input: () => ({ name: '', daily_limit: 0, redirect_to: 'https://other.example/', code: 'x' }),
  errors: ['name', 'daily_limit', 'redirect_to', 'code'],
};

/** One request for each route whose input is checked against the workspace. A test compares them with the routes. */
const WRONG: Readonly<Record<string, WrongRequest>> = {
  'GET /v1/contacts': filters,
  'GET /v1/contacts/:id/activity': {
    input: () => ({ type: 'email.flown', created_from: 'yesterday', created_to: '2026-02-30' }),
    errors: ['type', 'created_from', 'created_to'],
  },
  'GET /v1/contacts/export': {
    input: (ids) => ({ ...filters.input(ids), columns: 'email,nonsense', bom: 'yes' }),
    errors: [...filters.errors, 'columns', 'bom'],
  },
  'GET /v1/segments/:id/contacts': {
    ...filters,
    input: (ids) => ({ ...filters.input(ids), has_email: 'yes' }),
    errors: [...filters.errors, 'has_email'],
  },
  'GET /v1/campaigns/:id/messages': {
    input: (ids) => ({ contact_id: ids('/contacts/:id'), step_id: ids('/campaigns/:id/steps/:step'), status: 'lost' }),
    errors: ['contact_id', 'step_id', 'status'],
  },
  'GET /v1/campaigns/:id/messages/export': {
    input: (ids) => ({ contact_id: ids('/contacts/:id'), step_id: ids('/campaigns/:id/steps/:step'), bom: 'yes' }),
    errors: ['contact_id', 'step_id', 'bom'],
  },
  'GET /v1/campaigns/:id/contacts': {
    input: () => ({ status: 'lost', cursor: 'x', page: 1, total: 'no', updated_since: 'yesterday' }),
    errors: ['status', 'cursor', 'page', 'total', 'updated_since'],
  },
  'GET /v1/webhooks/:id/logs': {
    input: () => ({ success: 'no', status_code: 1000, cursor: 'x', page: 1 }),
    errors: ['success', 'status_code', 'cursor', 'page'],
  },
  'GET /v1/events': {
    input: () => ({ event: 'email.lost', after: 1, cursor: 'x', limit: 0 }),
    errors: ['event', 'after', 'cursor', 'limit'],
  },
  'POST /v1/campaigns/:id/contacts/:contact/move': {
    input: (ids) => ({ step_id: ids('/campaigns/:id/steps/:step'), step: 1 }),
    errors: ['step_id', 'step'],
  },
  'POST /v1/campaigns/:id/steps/:step/test-send': {
    input: (ids) => ({ to: 'x', contact_id: ids('/contacts/:id'), variant_id: 0, from: 'x' }),
    errors: ['to', 'contact_id', 'variant_id', 'from'],
  },
  'POST /v1/contacts/:id/pause': {
    input: () => ({ until: '2001-01-01T00:00:00Z', from: 'x' }),
    errors: ['until', 'from'],
  },
  'POST /v1/sandbox/clock': {
    input: () => ({ advance_seconds: 1, to: '2001-01-01', from: 'x' }),
    errors: ['advance_seconds', 'to', 'from'],
  },
  'GET /v1/sandbox/messages': {
    input: (ids) => ({ campaign_id: ids('/campaigns/:id'), to: 'x'.repeat(400) }),
    errors: ['campaign_id', 'to'],
  },
  'GET /v1/replies': {
    input: (ids) => ({
      campaign_id: ids('/campaigns/:id'),
      contact_id: ids('/contacts/:id'),
      email_account_id: ids('/email-accounts/:id'),
      classification: 'No!',
    }),
    errors: ['campaign_id', 'contact_id', 'email_account_id', 'classification'],
  },
  'POST /v1/contacts': contact({ email: 'x' }),
  'PUT /v1/contacts/:id': contact({ email: null }),
  'PUT /v1/contacts/by-email/:email': contact({ email: null }),
  'PUT /v1/contacts/by-external-id/:external_id': contact({ email: 'x' }),
  'POST /v1/lists/:id/contacts': members,
  'POST /v1/tags/:id/contacts': members,
  'POST /v1/segments': segment(),
  'PUT /v1/segments/:id': segment(),
  'POST /v1/templates/:id/preview': {
    input: (ids) => ({ contact_id: ids('/contacts/:id'), variables: { a: [] }, variable: {} }),
    errors: ['contact_id', 'variables.a', 'variable'],
  },
  'POST /v1/campaigns': {
    input: (ids) => ({
      name: '',
      email_account_ids: [ids('/email-accounts/:id'), 1.5],
      schedule: {
        timezone: 'Mars',
        days: [8],
        start: '09:00',
        end: '09:00',
        zone: 'x',
        holidays: ['2026-02-30'],
        contact_timezone: 1,
      },
      steps: [{ template_id: ids('/templates/:id') }, { ...STEP, delay_days: 1 }, 'x', { ...STEP, delay_minutes: '1' }],
    }),
    errors: [
      ...['name', 'email_account_ids.0', 'email_account_ids.1'],
      ...[
        'schedule.timezone',
        'schedule.days.0',
        'schedule.end',
        'schedule.zone',
        'schedule.holidays.0',
        'schedule.contact_timezone',
      ],
      ...['steps.0.template_id', 'steps.1.delay_days', 'steps.2', 'steps.3.delay_minutes'],
    ],
  },
  'PUT /v1/campaigns/:id': {
    input: (ids) => ({
      name: null,
      email_account_ids: [ids('/email-accounts/:id')],
      on_unknown: 'retry',
      stop_at_bounce_rate: 2,
      ...LIMITS,
      auto_enroll: { list_ids: ['x', ids('/lists/:id')], segment_ids: [ids('/segments/:id')], tag_ids: [1] },
    }),
    errors: [
      ...['name', 'email_account_ids.0', 'on_unknown', 'stop_at_bounce_rate'],
      ...Object.keys(LIMITS).filter((name) => name !== 'auto_enroll'),
      ...['list_ids.0', 'list_ids.1', 'segment_ids.0', 'tag_ids'].map((name) => `auto_enroll.${name}`),
    ],
  },
  'POST /v1/campaigns/:id/steps': { input: (ids) => ({ ...step.input(ids), subject: 'Hi' }), errors: step.errors },
  'PUT /v1/campaigns/:id/steps/:step': step,
  'POST /v1/email-accounts': {
    input: () => ({
      ...MAILBOX,
      ...{ smtp_host: '10.0.0.1', daily_limit: 0, smtp_user: 'ann' },
      ...{ min_seconds_between: -1, ramp_start: 0, ramp_per_day: 'five' },
    }),
    errors: ['smtp_host', 'daily_limit', 'smtp_user', 'min_seconds_between', 'ramp_start', 'ramp_per_day'],
  },
  'PUT /v1/email-accounts/:id': {
    input: () => ({ type: 'sendgrid', smtp_host: '10.0.0.1', smtp_port: 25, from_email: 'x', sendgrid_api_key: 5 }),
    errors: ['type', 'smtp_host', 'smtp_password', 'from_email'],
  },
  'POST /v1/email-accounts/oauth/google': connection,
  'POST /v1/email-accounts/oauth/microsoft': connection,
  'POST /v1/webhooks': {
    input: () => ({ url: 'https://10.0.0.1/', events: ['email.sent', 'email.lost'], is_active: 'yes' }),
    errors: ['url', 'events.1', 'is_active'],
  },
  'POST /v1/webhooks/:id/redeliver': {
    input: () => ({ from: 'yesterday', to: 5, event: 'nothing', success: 'yes' }),
    errors: ['from', 'to', 'event', 'success'],
  },
  'PUT /v1/webhooks/:id': {
    input: () => ({ url: 'https://10.0.0.1/', events: [] }),
    errors: ['url', 'events'],
  },
  'POST /v1/tokens': {
    input: () => ({ name: 5, permissions: ['blacklist:write', 'everything:read', 'tokens:write'], expires: 'never' }),
    errors: ['name', 'permissions.0', 'permissions.1', 'expires', 'expires_at'],
  },
};

/** `PATCH` does what `PUT` does. */
const nameOf = ({ method, path }: Route): string => `${method === 'PATCH' ? 'PUT' : method} ${path}`;
const isChecked = (input: InputClass | undefined): boolean => {
  if (!input) return false;
  const { references, checks } = declaredChecks(input);
  return references.length + checks.length > 0 || [...nestedInputs(input).values()].some((one) => isChecked(one.input));
};

describe('the errors of an input', () => {
  const service = useSharedService();
  let routes: Route[];
  let own: WorkspaceFixture;
  let theirs: WorkspaceFixture;
  let sandbox: ApiClient;
  /** A token of `own` that expires and has few permissions. */
  let limited: ApiClient;
  beforeAll(async () => {
    routes = service.app.get(Routes).all();
    sandbox = await service.sandbox();
    own = await new WorkspaceFixture(await service.client(), service.database, 'mine').fill();
    theirs = await new WorkspaceFixture(await service.client(), service.database, 'theirs').fill();
    const expires_at = new Date(Date.now() + FIVE_DAYS_MS).toISOString();
    const { data } = await own.api.post('/tokens', { name: 'limited', permissions: ['tokens:write'], expires_at });
    limited = new ApiClient(own.api.url, data.token, own.api.workspaceId);
  });

  const pathOf = ({ path }: Route, owner: WorkspaceFixture): string => {
    const resource = /^(.*:\w+)[^:]*$/.exec(path)?.[1];
    const ids = resource ? owner.idsOf(resource) : {};
    return path.replace(/^\/v1/, '').replace(/:(\w+)/g, (_, name: string) => String(ids[name]));
  };
  const send = (route: Route, input: object, owner = own): Promise<ApiResponse> => {
    const clients: Readonly<Record<string, ApiClient>> = {
      '/v1/tokens': limited,
      '/v1/sandbox/clock': sandbox,
      '/v1/sandbox/messages': sandbox,
    };
    const client = clients[route.path] ?? own.api;
    const path = pathOf(route, owner);
    return route.method === 'GET'
      ? client.get(`${path}?${new URLSearchParams(input as Record<string, string>).toString()}`)
      : client.call(route.method, path, input);
  };

  it('are tested for every route whose input is checked against the workspace', () => {
    const checked = routes.filter((route) => {
      const { body, query } = routeInputs(route);
      return isChecked(body) || isChecked(query);
    });
    const names = new Set(checked.map(nameOf));
    names.delete('POST /v1/contacts/import');
    expect([...names].sort()).toEqual(Object.keys(WRONG).sort());
  });

  it.each(Object.entries(WRONG))('name all wrong fields of %s in one response', async (name, { input, errors }) => {
    const route = routes.find((each) => nameOf(each) === name) as Route;
    const { status, body } = await send(
      route,
      input((resource) => theirs.id(resource)),
    );
    expect([status, Object.keys(body.errors as object).sort()]).toEqual([422, [...errors].sort()]);
    for (const messages of Object.values(body.errors as object)) expect(messages).toEqual([expect.any(String)]);
  });

  it('name the missing file, the groups and the other fields of an import in one response', async () => {
    const form = new FormData();
    form.set('lists[]', String(theirs.id('/lists/:id')));
    form.set('tags[]', 'x');
    form.set('colour', 'red');
    const { body } = await own.api.post('/contacts/import', form);
    expect(Object.keys(body.errors).sort()).toEqual(['colour', 'file', 'lists.0', 'tags.0']);
    form.set('file', new Blob(['name\nAnn\n']), 'contacts.csv');
    form.set('mapping[email]', 'address');
    form.set('mapping[shoe]', 'name');
    const read = await own.api.post('/contacts/import', form);
    expect(Object.keys(read.body.errors).sort()).toEqual([
      ...['colour', 'lists.0', 'mapping.email', 'mapping.shoe', 'tags.0'],
    ]);
    form.set('file', new Blob(['\0']), 'contacts.csv');
    expect(read.body.errors['mapping.email'][0]).toContain('Its columns are "name".');
    const binary = await own.api.post('/contacts/import', form);
    expect(Object.keys(binary.body.errors).sort()).toEqual(['colour', 'file', 'lists.0', 'tags.0']);
  });

  it('name an invalid Idempotency-Key beside the fields of the body', async () => {
    const { body } = await own.api.post('/lists', { name: '' }, { 'idempotency-key': 'k'.repeat(256) });
    expect(Object.keys(body.errors).sort()).toEqual(['Idempotency-Key', 'name']);
  });

  it('name 100 fields of both kinds, and count the others', async () => {
    const foreign = Array.from({ length: 60 }, () => theirs.id('/contacts/:id'));
    const wrong = Array.from({ length: 60 }, () => 'x');
    const { body } = await send(routes.find((each) => nameOf(each) === 'POST /v1/lists/:id/contacts') as Route, {
      contact_ids: [...foreign, ...wrong],
    });
    const { _more, ...errors } = body.errors;
    expect(Object.keys(errors)).toHaveLength(100);
    expect(_more).toEqual(['20 more fields are invalid.']);
  });

  it('come after the 404 of the record, and before rules of the workspace and conflicts', async () => {
    const route = routes.find((each) => nameOf(each) === 'PUT /v1/contacts/:id') as Route;
    const input = { email: 'theirs@example.com', company_id: theirs.id('/companies/:id') };
    expect((await send(route, input, theirs)).status).toBe(404);
    const { id } = await own.create('/contacts', { email: 'taken@example.com' });
    const put = (fields: object) => own.api.put(`/contacts/${id}`, { email: 'mine@example.com', ...fields });
    expect((await put({ company_id: theirs.id('/companies/:id') })).status).toBe(422);
    expect((await put({})).status).toBe(409);
  });

  describe('of an operation without input', () => {
    let operations: Route[];
    beforeAll(() => {
      operations = routes.filter(
        (route) =>
          route.method === 'POST' &&
          !route.isPublic &&
          !routeInputs(route).body &&
          route.path !== '/v1/contacts/import',
      );
      expect(operations.length).toBeGreaterThan(10);
    });

    it('name every field of a body, and a body that is not an object', async () => {
      for (const route of operations) {
        const { status, body } = await send(route, { force: true, id: 1 });
        expect([nameOf(route), status, Object.keys(body.errors ?? {})]).toEqual([nameOf(route), 422, ['force', 'id']]);
        const array = await send(route, []);
        expect([nameOf(route), array.status, Object.keys(array.body.errors ?? {})]).toEqual([
          nameOf(route),
          422,
          ['body'],
        ]);
        expect((await own.api.post(pathOf(route, own), '{"force":')).status).toBe(400);
      }
    });

    it('come after the 404 of the record', async () => {
      for (const route of operations.filter(({ path }) => path.includes(':') && !path.includes('/marketplace/'))) {
        expect([nameOf(route), (await send(route, { force: true }, theirs)).status]).toEqual([nameOf(route), 404]);
      }
    });

    it('do not refuse an empty object or an empty body', async () => {
      const path = `/contacts/${own.id('/contacts/:id')}/unsubscribe`;
      expect([(await own.api.post(path, {})).status, (await own.api.post(path)).status]).toEqual([200, 200]);
    });
  });
});
