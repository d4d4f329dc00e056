import { EnrollmentTransitions } from '../../src/campaigns/index.js';
import { MessageLinks } from '../../src/sending/index.js';
import { Workspaces } from '../../src/workspaces/index.js';
import type { ApiClient } from '../support/api-client.js';
import { Given } from '../support/given.js';
import { Mailroom } from '../support/replies.js';
import { useSharedService } from '../support/service.js';

describe('the activity of a contact', () => {
  const service = useSharedService();
  let api: ApiClient;
  let given: Given;
  let mailroom: Mailroom;

  beforeEach(async () => {
    api = await service.client();
    given = new Given(api, service.database);
    mailroom = new Mailroom(service, api, given);
  });

  const activity = async (contactId: number, query = '') =>
    (await api.get(`/contacts/${contactId}/activity?per_page=100&${query}`)).data;
  const typesOf = async (contactId: number, query = '') =>
    (await activity(contactId, query)).map(({ type }: { type: string }) => type);
  const unsubscribeUrl = (messageId: number) => {
    const links = service.app.get(MessageLinks, { strict: false });
    const path = new URL(links.unsubscribeUrl({ workspace_id: api.workspaceId, message_id: messageId })).pathname;
    return service.url + path;
  };

  it('begins with the creation of the contact, by the API or by an import', async () => {
    const { id } = await given.contact();
    expect(await activity(id)).toEqual([
      {
        id: `contact-${id}`,
        type: 'contact.created',
        occurred_at: expect.any(String),
        campaign_id: null,
        step_id: null,
        message_id: null,
        data: { source: 'api' },
      },
    ]);
    const file = new FormData();
    file.set('file', new Blob(['email\nimported@example.com\n']), 'contacts.csv');
    await api.post('/contacts/import', file);
    const [imported] = (await api.get('/contacts?search=imported@example.com')).data;
    expect((await activity(imported.id))[0].data).toEqual({ source: 'import' });
  });

  it('lists each change of the status with its source, the newest first', async () => {
    const { id } = await given.contact();
    await api.post(`/contacts/${id}/unsubscribe`);
    await api.post(`/contacts/${id}/unsubscribe`);
    await api.post(`/contacts/${id}/resubscribe`);
    const changes = await activity(id, 'type=contact.status_changed');
    expect(changes.map(({ data }: { data: object }) => data)).toEqual([
      { from: 'unsubscribed', to: 'active', source: 'api' },
      { from: 'active', to: 'unsubscribed', source: 'api' },
    ]);
  });

  it.each([
    ['link', {}],
    ['link', { body: new URLSearchParams({ other: 'One-Click' }) }],
    ['one_click', { body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) }],
    ['one_click', { body: form({ 'List-Unsubscribe': 'One-Click' }) }],
  ])('names the source %s of an unsubscribe request with the body %j', async (source, init) => {
    const { contact, id } = await mailroom.sent();
    expect((await fetch(unsubscribeUrl(id), { method: 'POST', ...init })).status).toBe(200);
    const [change] = await activity(contact.id, 'type=contact.status_changed');
    expect(change.data).toEqual({ from: 'active', to: 'unsubscribed', source });
  });

  it('lists what happens to messages and enrollments, in its order', async () => {
    const { contact, id, campaign, step_id: stepId, message_id: messageId } = await mailroom.sent();
    await service.database.query(
      `INSERT INTO tracking_events (workspace_id, message_id, enrollment_id, kind, link, url, classification, created_at)
       SELECT workspace_id, id, enrollment_id, event.kind, event.link, event.url, event.classification, sent_at FROM messages
       CROSS JOIN (VALUES ('open', NULL::int, NULL, 'counted'), ('click', 1, 'https://example.com/a', 'many_links'))
         AS event (kind, link, url, classification) WHERE messages.id = $1`,
      [id],
    );
    await mailroom.replied({ to: messageId, from: contact.email });
    const entries = await activity(contact.id);
    expect(entries.map(({ type }: { type: string }) => type)).toEqual([
      'enrollment.completed',
      'email.replied',
      'email.clicked',
      'email.opened',
      'email.sent',
      'enrollment.created',
      'contact.created',
    ]);
    const ofMessage = { campaign_id: campaign.id, step_id: stepId, message_id: messageId };
    expect(entries[4]).toMatchObject({ ...ofMessage, data: {} });
    expect(entries[3]).toMatchObject({ ...ofMessage, data: { counted: true, bot_reason: null } });
    expect(entries[2]).toMatchObject({
      ...ofMessage,
      data: { url: 'https://example.com/a', counted: false, bot_reason: 'many_links' },
    });
    expect(entries[1].data).toEqual({ reply_id: expect.any(Number), classification: 'reply', is_automatic: false });
    expect(entries[5]).toMatchObject({ campaign_id: campaign.id, step_id: null, message_id: null });
  });

  it('has the step that a request has skipped', async () => {
    const steps = [1, 2].map((n) => ({ subject: `Step ${n}`, body: 'Hello', delay_minutes: n }));
    const { id } = await given.contact();
    const campaign = await given.campaign({ steps });
    await api.post(`/campaigns/${campaign.id}/contacts`, { contact_ids: [id] });
    const { data: first } = await api.get(`/campaigns/${campaign.id}/contacts/${id}`);
    await api.post(`/campaigns/${campaign.id}/contacts/${id}/skip`);
    expect(await activity(id, 'type=enrollment.skipped')).toMatchObject([
      { campaign_id: campaign.id, step_id: first.current_step_id },
    ]);
  });

  it('has the step to which a request has moved the enrollment', async () => {
    const steps = [1, 2].map((n) => ({ subject: `Step ${n}`, body: 'Hello', delay_minutes: n }));
    const { id } = await given.contact();
    const campaign = await given.campaign({ steps });
    await api.post(`/campaigns/${campaign.id}/contacts`, { contact_ids: [id] });
    const [, second] = (await api.get(`/campaigns/${campaign.id}/steps`)).data;
    await api.post(`/campaigns/${campaign.id}/contacts/${id}/move`, { step_id: second.id });
    expect(await activity(id, 'type=enrollment.moved')).toMatchObject([
      { campaign_id: campaign.id, step_id: second.id },
    ]);
  });

  it('has the instant at which an enrollment failed or its contact unsubscribed, whatever changes later', async () => {
    const steps = [1, 2].map((n) => ({ subject: `Step ${n}`, body: 'Hello', delay_minutes: n }));
    const campaign = await given.campaign({ steps });
    const [left, dead] = [await given.contact(), await given.contact()];
    await api.post(`/campaigns/${campaign.id}/contacts`, { contact_ids: [left.id, dead.id] });
    await api.post(`/contacts/${left.id}/unsubscribe`);
    const { data: enrollment } = await api.get(`/campaigns/${campaign.id}/contacts/${dead.id}`);
    const scope = await service.app.get(Workspaces, { strict: false }).scope(api.workspaceId);
    await service.app.get(EnrollmentTransitions, { strict: false }).fail(scope, [enrollment.id]);
    const ends = async () => [
      ...(await activity(left.id, 'type=enrollment.unsubscribed')),
      ...(await activity(dead.id, 'type=enrollment.failed,enrollment.completed')),
    ];
    const before = await ends();
    expect(before).toMatchObject([
      { type: 'enrollment.unsubscribed', campaign_id: campaign.id, step_id: null, data: {} },
      { type: 'enrollment.failed', campaign_id: campaign.id, step_id: null, data: {} },
    ]);
    await api.delete(`/campaigns/${campaign.id}/steps/${enrollment.current_step_id}`);
    expect(await ends()).toEqual(before);
    await api.post(`/campaigns/${campaign.id}/contacts/${dead.id}/skip`);
    expect(await ends()).toMatchObject([{ type: 'enrollment.unsubscribed' }, { type: 'enrollment.completed' }]);
  });

  it('is filtered by types and by days or instants', async () => {
    const { contact } = await mailroom.sent();
    expect(await typesOf(contact.id, 'type=email.sent,contact.created')).toEqual(['email.sent', 'contact.created']);
    const [{ occurred_at: sentAt }] = await activity(contact.id, 'type=email.sent');
    expect(await typesOf(contact.id, `type=email.sent&created_from=${sentAt}&created_to=${sentAt}`)).toHaveLength(1);
    expect(await typesOf(contact.id, `created_to=${sentAt.slice(0, 10)}`)).toHaveLength(3);
    expect(await typesOf(contact.id, 'created_to=2020-01-01')).toEqual([]);
    expect(await typesOf(contact.id, 'created_from=2999-01-01T00:00:00Z')).toEqual([]);
  });

  it.each([
    ['type', 'email.flown'],
    ['type', ''],
    ['created_from', 'yesterday'],
    ['created_to', '2026-02-30'],
    ['created_to', '2026-01-01T00:00:00'],
  ])('refuses %s=%s', async (field, value) => {
    const { id } = await given.contact();
    const { status, body } = await api.get(`/contacts/${id}/activity?${field}=${value}`);
    expect([status, Object.keys(body.errors ?? {})]).toEqual([422, [field]]);
  });

  it('is read in pages, with the number of all entries', async () => {
    const { contact } = await mailroom.sent();
    const page = async (number: number) =>
      (await api.get(`/contacts/${contact.id}/activity?per_page=2&page=${number}`)).body;
    const [first, second, third] = [await page(1), await page(2), await page(3)];
    expect([first, second, third].map(({ data, meta }) => [data.length, meta.total])).toEqual([
      [2, 3],
      [1, 3],
      [0, 3],
    ]);
    const ids = [...first.data, ...second.data].map(({ id }: { id: string }) => id);
    expect(new Set(ids).size).toBe(3);
  });

  it('has changes of the same instant in their order, in pages and by cursor', async () => {
    const { id } = await given.contact();
    // As many as one more digit of the IDs needs.
    await service.database.query(
      `INSERT INTO contact_changes (workspace_id, contact_id, field, old_value, new_value, source, created_at)
       SELECT $1, $2, 'status', 'active', 'unsubscribed', 'api', '2026-11-01T12:00:00Z' FROM generate_series(1, 1000)`,
      [api.workspaceId, id],
    );
    const path = `/contacts/${id}/activity?type=contact.status_changed&per_page=100`;
    const numbersOf = (entries: { id: string }[]) => entries.map((entry) => Number(entry.id.replace('change-', '')));
    const [byPage, byCursor]: number[][] = [[], []];
    for (let page = 1; page <= 10; page++) byPage?.push(...numbersOf((await api.get(`${path}&page=${page}`)).data));
    for (let cursor: string | null = ''; cursor !== null;) {
      const { data, body } = await api.get(`${path}&cursor=${cursor}`);
      byCursor?.push(...numbersOf(data));
      cursor = body.meta.next_cursor;
    }
    expect(byPage).toHaveLength(1_000);
    expect(byPage).toEqual(byPage?.toSorted((a, b) => b - a));
    expect(byCursor).toEqual(byPage);
  });
});

function form(fields: Readonly<Record<string, string>>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.set(name, value);
  return data;
}
