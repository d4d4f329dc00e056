import pg from 'pg';
import { declarations } from '../../src/app/declarations.js';
import { ContactStatuses } from '../../src/contacts/index.js';
import { Database, sql } from '../../src/platform/database/index.js';
import { WorkspaceScope } from '../../src/platform/tenancy/index.js';
import { MessageLinks, type MessageReport, DeliveryReports } from '../../src/sending/index.js';
import { EVENT_NAMES, TEST_EVENT } from '../../src/webhooks/index.js';
import type { ApiClient } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { startService, type TestService } from '../support/service.js';

/** An event as a webhook is told of it. */
interface WrittenEvent {
  readonly event: string;
  readonly workspace_id: number;
  readonly data: any;
}

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const OCCURRED_AT = expect.stringMatching(TIMESTAMP);
const namesOf = (told: readonly WrittenEvent[]) => told.map(({ event }) => event);

describe('events', () => {
  let service: TestService;
  let sink: MailSink;
  let api: ApiClient;
  let given: Given;
  beforeAll(async () => {
    service = await startService();
    sink = await MailSink.start();
  });
  beforeEach(async () => {
    api = await service.client();
    given = new Given(api, service.database);
  });
  afterAll(async () => {
    await service.stop();
    await sink.stop();
  });

  /** A webhook to which nothing is delivered for now, so that what it is to be told stays. */
  async function listen(fields: { events?: readonly string[]; is_active?: boolean } = {}, by = api): Promise<number> {
    const { events = EVENT_NAMES, is_active: isActive = true } = fields;
    const [webhook] = await service.database.query<{ id: string }>(
      `INSERT INTO webhooks (workspace_id, url, events, is_active, secret, paused_until)
       VALUES ($1, 'https://receiver.example/', $2, $3, 'sealed', now() + interval '1 day') RETURNING id`,
      [by.workspaceId, [...events], isActive],
    );
    return Number(webhook?.id);
  }

  /** What was told since the last look, in its order. */
  async function takeEvents(by = api): Promise<WrittenEvent[]> {
    const rows = await service.database.query<{ event: string; payload: WrittenEvent }>(
      `WITH gone AS (DELETE FROM webhook_events WHERE workspace_id = $1 RETURNING *)
       SELECT event, payload FROM gone ORDER BY id`,
      [by.workspaceId],
    );
    for (const { event, payload } of rows) {
      expect(Object.keys(payload)).toEqual(['event', 'workspace_id', 'data']);
      expect([payload.event, payload.workspace_id]).toEqual([event, by.workspaceId]);
    }
    return rows.map(({ payload }) => payload);
  }

  const deliveries = () =>
    service.database.query<{ webhook_id: number; event: string }>(
      `SELECT delivery.webhook_id::int, event.event FROM webhook_deliveries delivery
       JOIN webhook_events event ON event.workspace_id = delivery.workspace_id AND event.id = delivery.event_id
         AND event.created_at = delivery.event_created_at
       ORDER BY delivery.webhook_id, delivery.id`,
    );
  const record = async (id: number) => (await api.get(`/contacts/${id}`)).data;
  const updated = async (...ids: number[]) => {
    const records = await Promise.all(ids.map(record));
    return records.map((data) => ({ event: 'contact.updated', workspace_id: api.workspaceId, data }));
  };
  const scope = () => WorkspaceScope.open(api.workspaceId, service.app.get(Database, { strict: false }));
  const importing = (csv: string, fields: Record<string, string> = {}) => {
    const form = new FormData();
    form.append('file', new Blob([csv], { type: 'text/csv' }), 'contacts.csv');
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    return api.post('/contacts/import', form);
  };

  it('are those of the contract, and all of them are announced', async () => {
    const { publicEvents: announced } = await declarations();
    expect(announced.map(({ name }) => name)).toEqual(EVENT_NAMES);
    expect(EVENT_NAMES).not.toContain(TEST_EVENT);
  });

  describe('of contacts', () => {
    beforeEach(() => listen());

    it('show the record when it is created, changed and deleted', async () => {
      const [tag, list] = [await given.group('/tags'), await given.group('/lists')];
      const { body } = await api.post('/contacts', { email: 'ada@acme.example', tags: [tag.id], lists: [list.id] });
      expect(await takeEvents()).toEqual([{ event: 'contact.created', workspace_id: api.workspaceId, data: body }]);
      const changed = await api.put(`/contacts/${body.id}`, { first_name: 'Ada', custom_fields: { plan: 'pro' } });
      expect(await takeEvents()).toEqual([
        { event: 'contact.updated', workspace_id: api.workspaceId, data: changed.data },
      ]);
      const last = await record(body.id);
      await api.delete(`/contacts/${body.id}`);
      expect(await takeEvents()).toEqual([{ event: 'contact.deleted', workspace_id: api.workspaceId, data: last }]);
    });

    it('are told when lists and tags are replaced, and not when a body changes nothing', async () => {
      const [tag, list] = [await given.group('/tags'), await given.group('/lists')];
      const { id } = await given.contact();
      await takeEvents();
      await api.put(`/contacts/${id}`, { tags: [tag.id], lists: [list.id] });
      expect(await takeEvents()).toEqual(await updated(id));
      await api.put(`/contacts/${id}`, { tags: [], lists: [] });
      expect(await takeEvents()).toEqual(await updated(id));
      await api.put(`/contacts/${id}`, {});
      expect(await takeEvents()).toEqual([]);
    });

    it.each(['/lists', '/tags'] as const)('are told of those who join or leave one of %s', async (path) => {
      const group = await given.group(path);
      const [ada, bob, eve] = [await given.contact(), await given.contact(), await given.contact()];
      await takeEvents();
      await api.post(`${path}/${group.id}/contacts`, { contact_ids: [ada.id] });
      expect(await takeEvents()).toEqual(await updated(ada.id));
      await api.post(`${path}/${group.id}/contacts`, { contact_ids: [bob.id, ada.id] });
      expect(await takeEvents()).toEqual(await updated(bob.id));
      await api.delete(`${path}/${group.id}/contacts`, { contact_ids: [ada.id, eve.id] });
      expect(await takeEvents()).toEqual(await updated(ada.id));
      await api.put(`${path}/${group.id}`, { name: 'Renamed' });
      expect(await takeEvents()).toEqual([]);
      expect((await api.delete(`${path}/${group.id}`)).status).toBe(204);
      expect(await takeEvents()).toEqual(await updated(bob.id));
      expect((await record(bob.id))[path.slice(1)]).toEqual([]);
    });

    it('are told when the company or custom field of contacts is deleted', async () => {
      const company = await given.group('/companies');
      const linked = await given.contact({ company_id: company.id });
      const valued = await given.contact({ custom_fields: { plan: 'pro', seats: 2 } });
      const plan = (await api.get('/custom-fields')).data.find(({ key }: { key: string }) => key === 'plan');
      await takeEvents();
      await api.delete(`/companies/${company.id}`);
      expect(await takeEvents()).toEqual(await updated(linked.id));
      await api.delete(`/custom-fields/${plan.id}`);
      expect(await takeEvents()).toEqual(await updated(valued.id));
      expect((await record(valued.id)).custom_fields).toEqual({ seats: 2 });
    });

    it('are told by an import, one for each contact', async () => {
      const list = await given.group('/lists');
      const { id } = await given.contact({ email: 'old@acme.example' });
      await given.contact({ email: 'idle@acme.example' });
      await takeEvents();
      await importing('email,first_name\nnew@acme.example,New\nold@acme.example,Old\nnot an address,\n', {
        skip_duplicates: '0',
        'lists[]': String(list.id),
      });
      const told = await takeEvents();
      expect(namesOf(told)).toEqual(['contact.created', 'contact.updated']);
      expect(told[0]?.data).toEqual(await record(told[0]?.data.id));
      expect(told[0]?.data).toMatchObject({ email: 'new@acme.example', lists: [{ id: list.id }] });
      expect(told.slice(1)).toEqual(await updated(id));
      await importing('email,first_name\nold@acme.example,Again\n');
      expect(await takeEvents()).toEqual([]);
    });

    it('are told by a large import with a statement for many', async () => {
      const webhook = await listen({ events: ['contact.created'] });
      const addresses = Array.from({ length: 2500 }, (_, index) => `c${String(index).padStart(4, '0')}@acme.example`);
      const query = jest.spyOn(pg.Client.prototype, 'query');
      await importing(['email', ...addresses].join('\n'));
      const statements = query.mock.calls.length;
      query.mockRestore();
      expect(statements).toBeLessThan(60);
      const told = (await deliveries()).filter((delivery) => delivery.webhook_id === webhook);
      expect(told).toHaveLength(addresses.length);
      expect((await takeEvents()).map(({ data }) => data.email)).toEqual(addresses);
    });

    it('are told of every move of the status', async () => {
      const { id } = await given.contact();
      await takeEvents();
      await api.post(`/contacts/${id}/unsubscribe`);
      expect(await takeEvents()).toEqual([
        ...(await updated(id)),
        { event: 'email.unsubscribed', workspace_id: api.workspaceId, data: withoutMessage(await record(id)) },
      ]);
      await api.post(`/contacts/${id}/unsubscribe`);
      expect(await takeEvents()).toEqual([]);
      await api.post(`/contacts/${id}/resubscribe`);
      expect(await takeEvents()).toEqual(await updated(id));
      await api.post(`/contacts/${id}/resubscribe`);
      expect(await takeEvents()).toEqual([]);
    });
  });

  describe('of campaigns', () => {
    beforeEach(() => listen());

    const told = async (event: string, id: number) => {
      const { data } = await api.get(`/campaigns/${id}`);
      return { event, workspace_id: api.workspaceId, data };
    };

    it('show the record when one starts, pauses and completes', async () => {
      await given.mailbox(sink);
      const contact = await given.contact();
      await takeEvents();
      const { id } = await given.running([contact.id]);
      expect(await takeEvents()).toEqual([await told('campaign.started', id)]);
      await api.post(`/campaigns/${id}/start`);
      await api.put(`/campaigns/${id}`, { name: 'Renamed' });
      expect(await takeEvents()).toEqual([]);
      await api.post(`/campaigns/${id}/pause`);
      expect(await takeEvents()).toEqual([await told('campaign.paused', id)]);
      await api.post(`/campaigns/${id}/pause`);
      expect(await takeEvents()).toEqual([]);
      await api.post(`/campaigns/${id}/start`);
      expect(await takeEvents()).toEqual([await told('campaign.started', id)]);
      await api.post(`/contacts/${contact.id}/unsubscribe`);
      const ended = await takeEvents();
      expect(namesOf(ended).sort()).toEqual(['campaign.completed', 'contact.updated', 'email.unsubscribed']);
      expect(ended.find(({ event }) => event === 'campaign.completed')).toEqual(await told('campaign.completed', id));
    });
  });

  describe('of emails', () => {
    beforeAll(() => service.startWorker());
    beforeEach(async () => {
      await listen();
      await given.mailbox(sink);
    });

    const messageOf = async (campaignId: number) => (await api.get(`/campaigns/${campaignId}/messages`)).data[0];
    const told = (event: string, message: any, email: string, more: object = {}) => ({
      event,
      workspace_id: api.workspaceId,
      data: {
        message_id: message.message_id,
        campaign_id: message.campaign_id,
        step_id: message.step_id,
        enrollment_id: message.enrollment_id,
        contact_id: message.contact_id,
        email,
        email_account_id: message.email_account_id,
        subject: message.subject,
        occurred_at: OCCURRED_AT,
        ...more,
      },
    });
    const only = (all: readonly WrittenEvent[], area: string) => all.filter(({ event }) => event.startsWith(area));

    /** A message that the worker has sent, with everything that was told until then. */
    async function sent(): Promise<{ message: any; contact: any; before: WrittenEvent[] }> {
      const contact = await given.contact({ first_name: 'Ada' });
      const { id } = await given.running([contact.id]);
      await eventually(async () => expect((await api.get(`/campaigns/${id}`)).data.status).toBe('completed'));
      return { message: await messageOf(id), contact, before: await takeEvents() };
    }

    const report = async (message: any, of: MessageReport) =>
      service.app.get(DeliveryReports, { strict: false }).record(scope(), [message.id], of);

    it('name the message that the mail server has accepted', async () => {
      const { message, contact, before } = await sent();
      expect(message).toMatchObject({ status: 'sent', subject: 'Hello Ada', message_id: expect.any(String) });
      expect(only(before, 'email')).toEqual([told('email.sent', message, contact.email)]);
      expect(namesOf(only(before, 'campaign'))).toEqual(['campaign.started', 'campaign.completed']);
    });

    it('say why it was refused, and that the contact has bounced', async () => {
      const contact = await given.contact({ email: 'gone@acme.example' });
      await takeEvents();
      sink.misbehave({ at: 'rcpt', matches: /gone@acme/, refuse: [550, '5.1.1 No such user'] });
      const { id } = await given.running([contact.id]);
      await eventually(async () => expect((await messageOf(id)).status).toBe('bounced'));
      const all = await takeEvents();
      const bounce = { type: 'hard', code: '5.1.1', message: expect.stringContaining('No such user') };
      expect(only(all, 'email')).toEqual([told('email.bounced', await messageOf(id), contact.email, { bounce })]);
      expect(only(all, 'contact')).toEqual(await updated(contact.id));
      expect(only(all, 'contact')[0]?.data.status).toBe('bounced');
    });

    it.each(['delivered', 'opened'] as const)('tell that it was %s, once, and when', async (kind) => {
      const { message, contact } = await sent();
      const occurredAt = new Date('2026-03-01T10:00:00.500Z');
      await report(message, { kind, occurred_at: occurredAt });
      await report(message, { kind });
      expect(await takeEvents()).toEqual([
        told(`email.${kind}`, message, contact.email, { occurred_at: occurredAt.toISOString() }),
      ]);
    });

    it('tell which link was followed', async () => {
      const { message, contact } = await sent();
      const url = 'https://acme.example/prices?plan=pro&from=é';
      await report(message, { kind: 'clicked', url });
      // Who follows a link has opened the message.
      const opened = told('email.opened', message, contact.email);
      expect(await takeEvents()).toEqual([opened, told('email.clicked', message, contact.email, { url })]);
    });

    it('tell of a later bounce and of a complaint', async () => {
      const bounced = await sent();
      const bounce = { type: 'soft', code: '5.2.2', message: 'Mailbox full' } as const;
      await report(bounced.message, { kind: 'bounced', bounce });
      expect(await takeEvents()).toEqual([told('email.bounced', bounced.message, bounced.contact.email, { bounce })]);
      const { message, contact } = await sent();
      await report(message, { kind: 'complained' });
      expect(await takeEvents()).toEqual([
        told('email.complained', message, contact.email),
        ...(await updated(contact.id)),
      ]);
      expect((await record(contact.id)).status).toBe('complained');
    });

    it.each([
      ['the page', 'confirm=1'],
      ['one click', 'List-Unsubscribe=One-Click'],
    ])('name the message through which somebody unsubscribed by %s', async (_, body) => {
      const { message, contact } = await sent();
      const links = service.app.get(MessageLinks, { strict: false });
      const link = links.unsubscribeUrl({ workspace_id: api.workspaceId, message_id: message.id });
      const pressed = () =>
        fetch(service.url + new URL(link).pathname, {
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body,
        });
      expect((await pressed()).status).toBe(200);
      await pressed();
      expect(await takeEvents()).toEqual([
        ...(await updated(contact.id)),
        told('email.unsubscribed', message, contact.email),
      ]);
    });

    it('tell of each who unsubscribed, whether through a message or not', async () => {
      const { message, contact } = await sent();
      const other = await given.contact();
      await takeEvents();
      await service.app
        .get(ContactStatuses, { strict: false })
        .unsubscribe(
          scope(),
          sql`SELECT unnest(${[other.id, contact.id]}::bigint[])`,
          sql`SELECT ${message.id}::bigint`,
        );
      expect(only(await takeEvents(), 'email')).toEqual([
        told('email.unsubscribed', message, contact.email),
        { event: 'email.unsubscribed', workspace_id: api.workspaceId, data: withoutMessage(other) },
      ]);
    });
  });

  describe('are written down', () => {
    it('once, with a delivery for each webhook that is active and subscribed', async () => {
      const other = await service.client();
      const first = await listen();
      const second = await listen({ events: ['contact.created', 'contact.deleted'] });
      const others = [
        await listen({ is_active: false }),
        await listen({ events: ['contact.deleted'] }),
        await listen({}, other),
      ];
      const { id } = await given.contact();
      await api.put(`/contacts/${id}`, { first_name: 'Ada' });
      const own = (await deliveries()).filter(({ webhook_id: webhook }) =>
        [first, second, ...others].includes(webhook),
      );
      expect(own).toEqual([
        { webhook_id: first, event: 'contact.created' },
        { webhook_id: first, event: 'contact.updated' },
        { webhook_id: second, event: 'contact.created' },
      ]);
      expect(namesOf(await takeEvents())).toEqual(['contact.created', 'contact.updated']);
      expect(await takeEvents(other)).toEqual([]);
    });

    it('not where nobody listens', async () => {
      await listen({ is_active: false });
      await given.contact();
      expect(await takeEvents()).toEqual([]);
    });

    it('not without their cause', async () => {
      await listen();
      const { id, email } = await given.contact();
      await takeEvents();
      expect((await api.post('/contacts', { email })).status).toBe(409);
      const failing = scope().transaction(async (tx) => {
        await service.app.get(ContactStatuses, { strict: false }).unsubscribe(tx, sql`SELECT ${id}::bigint`);
        throw new Error('The cause fails.');
      });
      await expect(failing).rejects.toThrow('The cause fails.');
      expect(await takeEvents()).toEqual([]);
    });
  });
});

/** `data` of an unsubscribe that no message led to. */
const withoutMessage = ({ id, email }: { id: number; email: string }) => ({
  message_id: null,
  campaign_id: null,
  step_id: null,
  enrollment_id: null,
  contact_id: id,
  email,
  email_account_id: null,
  subject: null,
  occurred_at: OCCURRED_AT,
});
