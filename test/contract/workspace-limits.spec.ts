import { Blacklist, GlobalBlacklist } from '../../src/blacklist/index.js';
import { DEFAULT_LIMITS } from '../../src/platform/limits/index.js';
import { Workspaces } from '../../src/workspaces/index.js';
import type { ApiClient, ApiResponse } from '../support/api-client.js';
import { Given } from '../support/given.js';
import { GivenMarketplace } from '../support/given-marketplace.js';
import { Mailroom } from '../support/replies.js';
import { reportedMail } from '../../packages/mail-reading/test/reported-mail.js';
import { useService } from '../support/service.js';

const LIMIT = 3;
const LIMITS = Object.fromEntries(Object.keys(DEFAULT_LIMITS).map((name) => [name, LIMIT]));

const reached = { status: 422, body: { error: 'HttpError', errors: null, reason: 'limit_reached' } };
const segment = { match_type: 'all', conditions: [{ field: 'email', operator: 'is_not_empty' }] };

/** The path and the body of the nth record of each kind. */
const RECORDS: Readonly<Record<string, readonly [string, (n: number) => object]>> = {
  webhooks: ['/webhooks', (n) => ({ url: `https://127.0.0.1/${n}`, events: ['contact.created'] })],
  'email accounts': [
    '/email-accounts',
    (n) => ({
      name: `A${n}`,
      type: 'sendgrid',
      from_email: 'a@sender.example',
      from_name: 'A',
      daily_limit: 5,
      sendgrid_api_key: 'SG.x',
    }),
  ],
  campaigns: ['/campaigns', (n) => ({ name: `C${n}` })],
  templates: ['/templates', (n) => ({ name: `T${n}`, subject: 'S', body: 'B' })],
  segments: ['/segments', (n) => ({ name: `S${n}`, ...segment })],
  lists: ['/lists', (n) => ({ name: `L${n}` })],
  tags: ['/tags', (n) => ({ name: `T${n}` })],
  companies: ['/companies', (n) => ({ name: `C${n}` })],
  contacts: ['/contacts', (n) => ({ email: `c${n}@example.com` })],
  'new blacklist entries a day': ['/blacklist', (n) => ({ email: `b${n}@limits.example` })],
};

const statuses = (responses: readonly ApiResponse[]) => responses.map(({ status }) => status).sort();

describe('The limits of a workspace', () => {
  const text = Object.entries(LIMITS).map(([name, value]) => `${name}=${value}`);
  const service = useService({ WORKSPACE_LIMITS: text.join(',') });
  let api: ApiClient;
  let given: Given;

  beforeEach(async () => {
    api = await service.client();
    given = new Given(api, service.database);
  });

  const upload = (emails: readonly string[]) => {
    const form = new FormData();
    form.append('file', new Blob([`email\n${emails.join('\n')}\n`]), 'contacts.csv');
    return api.post('/contacts/import', form);
  };

  it('are shown by GET /me', async () => {
    expect((await api.get('/me')).data.limits).toEqual(LIMITS);
  });

  it.each(Object.keys(RECORDS))('%s beyond the limit are refused with limit_reached', async (kind) => {
    const [path, body] = RECORDS[kind] ?? ['', () => ({})];
    for (let n = 0; n < LIMIT; n += 1) expect((await api.post(path, body(n))).status).toBe(201);
    const refused = await api.post(path, body(LIMIT));
    expect(refused).toMatchObject(reached);
    expect(refused.body.message).toBe(`A workspace can have at most ${LIMIT} ${kind}.`);
    expect((await (await service.client()).post(path, body(0))).status).toBe(201);
  });

  it.each(Object.keys(RECORDS))('%s that are created at the same time do not exceed the limit', async (kind) => {
    const [path, body] = RECORDS[kind] ?? ['', () => ({})];
    const responses = await Promise.all(Array.from({ length: LIMIT * 3 }, (_, n) => api.post(path, body(n))));
    expect(statuses(responses)).toEqual([...Array(LIMIT).fill(201), ...Array(LIMIT * 2).fill(422)]);
  });

  it('a deleted record makes space for another one', async () => {
    const [first] = await Promise.all([1, 2, 3].map((n) => given.contact({ email: `c${n}@example.com` })));
    expect(await api.post('/contacts', { email: 'c4@example.com' })).toMatchObject(reached);
    await api.delete(`/contacts/${first?.id}`);
    expect((await api.post('/contacts', { email: 'c4@example.com' })).status).toBe(201);
  });

  it('new blacklist entries beyond the limit are accepted on the next day of the workspace', async () => {
    const add = async (n: number): Promise<number> =>
      (await api.post('/blacklist', { email: `day${n}@limits.example` })).status;
    for (let n = 0; n < LIMIT; n += 1) expect(await add(n)).toBe(201);
    expect(await add(LIMIT)).toBe(422);
    service.clocks.advance(api.workspaceId, { days: 1 });
    expect(await add(LIMIT)).toBe(201);
  });

  it('tokens beyond the limit are refused with limit_reached', async () => {
    const token = { name: 'T', permissions: ['contacts:read'] };
    for (let n = 1; n < LIMIT; n += 1) expect((await api.post('/tokens', token)).status).toBe(201);
    expect(await api.post('/tokens', token)).toMatchObject(reached);
  });

  it('steps beyond the limit are refused, one by one and in the body of the campaign', async () => {
    const steps = Array.from({ length: LIMIT }, () => ({ subject: 'S', body: 'B' }));
    const campaign = await given.campaign({ steps });
    expect(await api.post(`/campaigns/${campaign.id}/steps`, { subject: 'S', body: 'B' })).toMatchObject(reached);
    const many = { name: 'C', steps: [...steps, { subject: 'S', body: 'B' }] };
    expect(await api.post('/campaigns', many)).toMatchObject(reached);
    expect((await api.get('/campaigns')).body.data).toHaveLength(1);
  });

  it('an import beyond the limit is refused as a whole, and one up to the limit is accepted', async () => {
    await given.contact({ email: 'a@example.com' });
    expect(await upload(['a@example.com', 'b@example.com', 'c@example.com', 'd@example.com'])).toMatchObject(reached);
    expect((await api.get('/contacts')).data).toHaveLength(1);
    const { data } = await upload(['a@example.com', 'b@example.com', 'c@example.com']);
    expect(data).toMatchObject({ imported: 2, skipped: 1 });
  });

  it('duplicates and copies of templates count, and a pack is copied as a whole or not at all', async () => {
    const marketplace = await GivenMarketplace.empty(service.database);
    const original = await marketplace.template();
    const pack = await marketplace.pack([original, await marketplace.template()]);
    const { data } = await api.post('/templates', { name: 'T', subject: 'S', body: 'B' });
    expect((await api.post(`/templates/${data.id}/duplicate`)).status).toBe(201);
    expect(await api.post(`/marketplace/packs/${pack}/copy`)).toMatchObject(reached);
    expect((await api.get('/templates')).data).toHaveLength(2);
    expect((await api.post(`/marketplace/templates/${original}/copy`)).status).toBe(201);
    expect(await api.post(`/marketplace/templates/${original}/copy`)).toMatchObject(reached);
    expect(await api.post(`/templates/${data.id}/duplicate`)).toMatchObject(reached);
  });

  it('a bulk of blacklist entries counts what it adds, and is refused as a whole', async () => {
    const bulk = (...names: string[]) =>
      api.post('/blacklist/bulk-create', { emails: names.map((name) => `${name}@${api.workspaceId}.example`) });
    expect((await bulk('a', 'b')).data).toEqual({ added: 2, skipped: 0 });
    expect(await bulk('c', 'd')).toMatchObject(reached);
    expect((await bulk('a', 'b', 'c')).data).toEqual({ added: 1, skipped: 2 });
    expect((await api.delete(`/blacklist/a@${api.workspaceId}.example`)).status).toBe(204);
    expect(await bulk('a')).toMatchObject(reached);
    expect((await bulk('b')).data).toEqual({ added: 0, skipped: 1 });
  });

  it('blacklist entries that arise from reports count, and beyond the limit hold for the workspace alone', async () => {
    const mailroom = new Mailroom(service, api, given);
    const other = await service.client();
    const isListed = async (client: ApiClient, email: string) =>
      (await client.post('/blacklist/check', { email })).data.is_blacklisted;
    const bounced = async () => {
      const { contact, message_id } = await mailroom.sent({});
      const about = { message_id, address: contact.email };
      expect(await mailroom.receive(reportedMail('postfix-dead', about).toString())).toEqual({ matched: 1 });
      expect((await api.get(`/contacts/${contact.id}`)).data.status).toBe('bounced');
      return contact.email;
    };
    expect((await api.post('/blacklist', { email: `m1@${api.workspaceId}.example` })).status).toBe(201);
    const within = await bounced();
    expect((await api.post('/blacklist', { email: `m2@${api.workspaceId}.example` })).status).toBe(201);
    expect(await api.post('/blacklist', { email: `m3@${api.workspaceId}.example` })).toMatchObject(reached);
    const beyond = [await bounced(), await bounced()];
    for (const email of [within, ...beyond]) expect([email, await isListed(api, email)]).toEqual([email, true]);
    expect(await isListed(other, within)).toBe(true);
    for (const email of beyond) expect([email, await isListed(other, email)]).toEqual([email, false]);
  });

  it('blacklist entries that arise from many reports at the same time are shared up to the limit', async () => {
    const blacklist = service.app.get(Blacklist, { strict: false });
    const scope = await service.app.get(Workspaces, { strict: false }).scope(api.workspaceId);
    const emails = Array.from({ length: 8 }, (_, n) => `r${n}@${api.workspaceId}.example`);
    const added = [...emails.slice(2).map((email) => [email]), emails.slice(0, 2)];
    await Promise.all(added.map((each) => blacklist.addReported(scope, each, 'complaint')));
    expect(await blacklist.addReported(scope, emails, 'bounce')).toBe(0);
    const other = await service.app.get(Workspaces, { strict: false }).scope((await service.client()).workspaceId);
    const everywhere = service.app.get(GlobalBlacklist, { strict: false });
    expect((await everywhere.findListed(scope, emails)).size).toBe(emails.length);
    expect((await everywhere.findListed(other, emails)).size).toBe(LIMIT);
  });
});
