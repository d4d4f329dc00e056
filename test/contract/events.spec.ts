import pg from 'pg';
import { declarations } from '../../src/app/declarations.js';
import { ContactStatuses } from '../../src/contacts/index.js';
import { Database, sql } from '../../src/platform/database/index.js';
import { WorkspaceScope } from '../../src/platform/tenancy/index.js';
import { MessageLinks, type MessageReport, DeliveryReports } from '../../src/sending/index.js';
import { UndecidedEvents } from '../../src/tracking/events/undecided-events.cross-tenant.js';
import { EVENT_NAMES, TEST_EVENT } from '../../src/webhooks/index.js';
import type { ApiClient } from '../support/api-client.js';
import type { Schema } from '../support/api-schemas.js';
import { eventually } from '../support/eventually.js';
import { TIMESTAMP } from '../support/expected.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { useService } from '../support/service.js';

/** The body of an event. */
interface WrittenEvent {
  readonly event: string;
  readonly workspace_id: number;
  readonly data: any;
}

const OCCURRED_AT = expect.stringMatching(TIMESTAMP);
const namesOf = (events: readonly WrittenEvent[]) => events.map(({ event }) => event);

describe('events', () => {
  const service = useService();
  let sink: MailSink;
  let api: ApiClient;
  let given: Given;
  beforeAll(async () => {
    sink = await MailSink.start();
  });
  beforeEach(async () => {
    api = await service.client();
    given = new Given(api, service.database);
  });
  afterAll(() => sink.stop());

  /** Inserts a paused webhook, so that its deliveries are not attempted. */
  async function subscribe(
    fields: { events?: readonly string[]; is_active?: boolean } = {},
    by = api,
  ): Promise<number> {
    const { events = EVENT_NAMES, is_active: isActive = true } = fields;
    const [webhook] = await service.database.query<{ id: string }>(
      `INSERT INTO webhooks (workspace_id, url, events, is_active, secret, paused_until)
       VALUES ($1, 'https://receiver.example/', $2, $3, 'encrypted', now() + interval '1 day') RETURNING id`,
      [by.workspaceId, [...events], isActive],
    );
    return Number(webhook?.id);
  }

  /** Deletes and returns the events that were written since the last call, in their order. */
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

  it('are those of the contract, and all of them are declared as public events', async () => {
    const { publicEvents } = await declarations();
    expect(publicEvents.map(({ name }) => name)).toEqual(EVENT_NAMES);
    expect(EVENT_NAMES).not.toContain(TEST_EVENT);
  });

  describe('of contacts', () => {
    beforeEach(() => subscribe());

    it('contain the record when it is created, updated or deleted', async () => {
      const [tag, list] = [await given.group('/tags'), await given.group('/lists')];
      const { body } = await api.post('/contacts', { email: 'ada@acme.example', tags: [tag.id], lists: [list.id] });
      expect(await takeEvents()).toEqual([{ event: 'contact.created', workspace_id: api.workspaceId, data: body }]);
      const changed = await api.put(`/contacts/${body.id}`, { first_name: 'Ada', custom_fields: { plan: 'pro' } });
      const { new_custom_fields: added, ...data } = changed.data;
      expect(added).toEqual(['plan']);
      expect(await takeEvents()).toEqual([{ event: 'contact.updated', workspace_id: api.workspaceId, data }]);
      const last = await record(body.id);
      await api.delete(`/contacts/${body.id}`);
      expect(await takeEvents()).toEqual([{ event: 'contact.deleted', workspace_id: api.workspaceId, data: last }]);
    });

    it('are written if lists or tags are replaced, but not if an update changes nothing', async () => {
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

    it.each(['/lists', '/tags'] as const)(
      'are written for contacts that are added to or removed from one of %s',
      async (path) => {
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
      },
    );

    it('are written if the company or a custom field of contacts is deleted', async () => {
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

    it('are written by an import, one for each contact', async () => {
      const list = await given.group('/lists');
      const { id } = await given.contact({ email: 'old@acme.example' });
      await given.contact({ email: 'idle@acme.example' });
      await takeEvents();
      await importing('email,first_name\nnew@acme.example,New\nold@acme.example,Old\nnot an address,\n', {
        skip_duplicates: '0',
        'lists[]': String(list.id),
      });
      const written = await takeEvents();
      expect(namesOf(written)).toEqual(['contact.created', 'contact.updated']);
      expect(written[0]?.data).toEqual(await record(written[0]?.data.id));
      expect(written[0]?.data).toMatchObject({ email: 'new@acme.example', lists: [{ id: list.id }] });
      expect(written.slice(1)).toEqual(await updated(id));
      await importing('email,first_name\nold@acme.example,Again\n');
      expect(await takeEvents()).toEqual([]);
    });

    it('are written by a large import with few statements', async () => {
      const webhook = await subscribe({ events: ['contact.created'] });
      const addresses = Array.from({ length: 2500 }, (_, index) => `c${String(index).padStart(4, '0')}@acme.example`);
      const query = jest.spyOn(pg.Client.prototype, 'query');
      await importing(['email', ...addresses].join('\n'));
      const statements = query.mock.calls.length;
      query.mockRestore();
      expect(statements).toBeLessThan(60);
      const created = (await deliveries()).filter((delivery) => delivery.webhook_id === webhook);
      expect(created).toHaveLength(addresses.length);
      expect((await takeEvents()).map(({ data }) => data.email)).toEqual(addresses);
    });

    it('are written for every change of the status', async () => {
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
    beforeEach(() => subscribe());

    const expectedEvent = async (event: string, id: number) => {
      const { data } = await api.get(`/campaigns/${id}`);
      return { event, workspace_id: api.workspaceId, data };
    };

    it('contain the record when a campaign starts, pauses or completes', async () => {
      await given.mailbox(sink);
      const contact = await given.contact();
      await takeEvents();
      const { id } = await given.running([contact.id]);
      expect(await takeEvents()).toEqual([await expectedEvent('campaign.started', id)]);
      await api.post(`/campaigns/${id}/start`);
      await api.put(`/campaigns/${id}`, { name: 'Renamed' });
      expect(await takeEvents()).toEqual([]);
      await api.post(`/campaigns/${id}/pause`);
      expect(await takeEvents()).toEqual([await expectedEvent('campaign.paused', id)]);
      await api.post(`/campaigns/${id}/pause`);
      expect(await takeEvents()).toEqual([]);
      await api.post(`/campaigns/${id}/start`);
      expect(await takeEvents()).toEqual([await expectedEvent('campaign.started', id)]);
      await api.post(`/contacts/${contact.id}/unsubscribe`);
      const ended = await takeEvents();
      expect(namesOf(ended).sort()).toEqual(['campaign.completed', 'contact.updated', 'email.unsubscribed']);
      expect(ended.find(({ event }) => event === 'campaign.completed')).toEqual(
        await expectedEvent('campaign.completed', id),
      );
    });

    it('contain the paused campaign without the deleted account that it sent from', async () => {
      const [own] = [await given.mailbox(sink), await given.mailbox(sink)];
      const contact = await given.contact();
      const { id } = await given.running([contact.id], { email_account_ids: [own.id] });
      await takeEvents();
      await api.delete(`/email-accounts/${own.id}`);
      const paused = await expectedEvent('campaign.paused', id);
      expect(paused.data).toMatchObject({ pause_reason: 'account_deleted', email_account_ids: [] });
      expect(await takeEvents()).toEqual([paused]);
    });
  });

  describe('of emails', () => {
    beforeAll(() => service.startWorker());
    beforeEach(async () => {
      await subscribe();
      await given.mailbox(sink);
    });

    const messageOf = async (campaignId: number) => (await api.get(`/campaigns/${campaignId}/messages`)).data[0];
    const expectedEvent = (event: string, message: Schema<'Message'>, email: string, more: object = {}) => ({
      event,
      workspace_id: api.workspaceId,
      data: {
        message_id: message.message_id,
        campaign_id: message.campaign_id,
        step_id: message.step_id,
        variant_id: message.variant_id,
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

    /** Sends a message. @returns it with the contact and the events until then */
    async function sent(): Promise<{ message: Schema<'Message'>; contact: Schema<'Contact'>; before: WrittenEvent[] }> {
      const contact = await given.contact({ first_name: 'Ada' });
      const { id } = await given.running([contact.id]);
      await eventually(async () => expect((await api.get(`/campaigns/${id}`)).data.status).toBe('completed'));
      return { message: await messageOf(id), contact, before: await takeEvents() };
    }

    const report = async (message: Schema<'Message'>, of: MessageReport) =>
      service.app.get(DeliveryReports, { strict: false }).record(await scope(), [message.id], of);

    it('contain the message that the mail server has accepted', async () => {
      const { message, contact, before } = await sent();
      expect(message).toMatchObject({ status: 'sent', subject: 'Hello Ada', message_id: expect.any(String) });
      expect(only(before, 'email')).toEqual([expectedEvent('email.sent', message, contact.email)]);
      expect(namesOf(only(before, 'campaign'))).toEqual(['campaign.started', 'campaign.completed']);
    });

    it('contain the reason of a bounce, and the bounced contact', async () => {
      const contact = await given.contact({ email: 'gone@acme.example' });
      await takeEvents();
      sink.misbehave({ at: 'rcpt', matches: /gone@acme/, refuse: [550, '5.1.1 No such user'] });
      const { id } = await given.running([contact.id]);
      await eventually(async () => expect((await messageOf(id)).status).toBe('bounced'));
      const all = await takeEvents();
      const bounce = { type: 'hard', code: '5.1.1', message: expect.stringContaining('No such user') };
      expect(only(all, 'email')).toEqual([
        expectedEvent('email.bounced', await messageOf(id), contact.email, { bounce }),
      ]);
      expect(only(all, 'contact')).toEqual(await updated(contact.id));
      expect(only(all, 'contact')[0]?.data.status).toBe('bounced');
    });

    it.each(['delivered', 'opened'] as const)(
      'contain the time when the message was %s, and are written once',
      async (kind) => {
        const { message, contact } = await sent();
        const occurredAt = new Date('2026-03-01T10:00:00.500Z');
        await report(message, { kind, occurred_at: occurredAt });
        await report(message, { kind });
        const more = { occurred_at: occurredAt.toISOString(), ...(kind === 'opened' && { is_bot: false }) };
        expect(await takeEvents()).toEqual([expectedEvent(`email.${kind}`, message, contact.email, more)]);
      },
    );

    it('contain the link that was clicked', async () => {
      const { message, contact } = await sent();
      const url = 'https://acme.example/prices?plan=pro&from=é';
      await report(message, { kind: 'clicked', url });
      // A click implies an open.
      const opened = expectedEvent('email.opened', message, contact.email, { is_bot: false });
      const clicked = expectedEvent('email.clicked', message, contact.email, { is_bot: false, url });
      expect(await takeEvents()).toEqual([opened, clicked]);
    });

    describe('about what bots do', () => {
      const url = 'https://acme.example/prices';
      const linksOf = ({ id }: { id: number }) => {
        const links = service.app.get(MessageLinks, { strict: false });
        const ref = { workspace_id: api.workspaceId, message_id: id };
        const ours = (address: string) => service.url + new URL(address).pathname;
        return {
          pixel: ours(links.openUrl(ref)),
          link: (link: number) => ours(links.clickUrl({ ...ref, link, url })),
        };
      };
      const request = (address: string, agent: string) =>
        fetch(address, { redirect: 'manual', headers: { 'user-agent': agent } });
      const classifyDue = async () => {
        service.clocks.advance(api.workspaceId, { seconds: 10 });
        await service.app.get(UndecidedEvents, { strict: false }).classify();
        // The worker may have begun to classify them at the same time.
        await eventually(async () => {
          const undecided = `SELECT 1 FROM tracking_events WHERE workspace_id = $1 AND classification = 'undecided'`;
          expect(await service.database.query(undecided, [api.workspaceId])).toEqual([]);
        });
      };

      it('contain why a request does not count, once per request, without a wait if the request shows it', async () => {
        const { message, contact } = await sent();
        const { pixel, link } = linksOf(message);
        await request(pixel, 'curl/8.5.0');
        await request(link(1), 'curl/8.5.0');
        const bot = (more: object) =>
          expectedEvent('email.bot_activity', message, contact.email, { is_bot: true, bot_reason: 'agent', ...more });
        expect(await takeEvents()).toEqual([bot({ type: 'opened' }), bot({ type: 'clicked', url })]);
        await classifyDue();
        expect(await takeEvents()).toEqual([]);
      });

      it('are written when it is decided that requests do not count, in their order', async () => {
        const { message, contact } = await sent();
        const { pixel, link } = linksOf(message);
        for (const address of [pixel, link(1), link(2), link(3)]) await request(address, 'Thunderbird');
        expect(await takeEvents()).toEqual([]);
        await Promise.all([classifyDue(), classifyDue()]);
        const bot = (more: object) =>
          expectedEvent('email.bot_activity', message, contact.email, {
            is_bot: true,
            bot_reason: 'many_links',
            ...more,
          });
        const clicked = bot({ type: 'clicked', url });
        expect(await takeEvents()).toEqual([bot({ type: 'opened' }), clicked, clicked, clicked]);
        await classifyDue();
        expect(await takeEvents()).toEqual([]);
      });

      it('are not written if the contact refuses to be measured before it is decided', async () => {
        const { message, contact } = await sent();
        const { link } = linksOf(message);
        for (const number of [1, 2, 3]) await request(link(number), 'Thunderbird');
        await api.put(`/contacts/${contact.id}`, { tracking_consent: 'refused' });
        await takeEvents();
        await classifyDue();
        await request(link(1), 'curl/8.5.0');
        expect(await takeEvents()).toEqual([]);
        expect(await messageOf(message.campaign_id)).toMatchObject({ bot_opens: 0, bot_clicks: 0, bot_reason: null });
      });

      it('are rolled back with the request, if the event cannot be written', async () => {
        const { message } = await sent();
        await service.database.query('ALTER TABLE webhook_deliveries RENAME TO renamed');
        try {
          expect((await request(linksOf(message).pixel, 'curl/8.5.0')).status).toBe(200);
        } finally {
          await service.database.query('ALTER TABLE renamed RENAME TO webhook_deliveries');
        }
        expect(await messageOf(message.campaign_id)).toMatchObject({ bot_opens: 0 });
        expect(await takeEvents()).toEqual([]);
      });
    });

    it('are written for a later bounce and for a complaint', async () => {
      const bounced = await sent();
      const bounce = { type: 'soft', code: '5.2.2', message: 'Mailbox full' } as const;
      await report(bounced.message, { kind: 'bounced', bounce });
      expect(await takeEvents()).toEqual([
        expectedEvent('email.bounced', bounced.message, bounced.contact.email, { bounce }),
      ]);
      const { message, contact } = await sent();
      await report(message, { kind: 'complained' });
      expect(await takeEvents()).toEqual([
        expectedEvent('email.complained', message, contact.email),
        ...(await updated(contact.id)),
      ]);
      expect((await record(contact.id)).status).toBe('complained');
    });

    it.each([
      ['the page', 'confirm=1'],
      ['one click', 'List-Unsubscribe=One-Click'],
    ])('contain the message through which a recipient unsubscribed by %s', async (_, body) => {
      const { message, contact } = await sent();
      const links = service.app.get(MessageLinks, { strict: false });
      const link = links.unsubscribeUrl({ workspace_id: api.workspaceId, message_id: message.id });
      const unsubscribe = () =>
        fetch(service.url + new URL(link).pathname, {
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body,
        });
      expect((await unsubscribe()).status).toBe(200);
      await unsubscribe();
      expect(await takeEvents()).toEqual([
        ...(await updated(contact.id)),
        expectedEvent('email.unsubscribed', message, contact.email),
      ]);
    });

    it('are written for each unsubscribed contact, with or without a message', async () => {
      const { message, contact } = await sent();
      const other = await given.contact();
      await takeEvents();
      await service.app
        .get(ContactStatuses, { strict: false })
        .unsubscribe(await scope(), sql`SELECT unnest(${[other.id, contact.id]}::bigint[])`, {
          source: 'link',
          through: sql`SELECT ${message.id}::bigint`,
        });
      expect(only(await takeEvents(), 'email')).toEqual([
        expectedEvent('email.unsubscribed', message, contact.email),
        { event: 'email.unsubscribed', workspace_id: api.workspaceId, data: withoutMessage(other) },
      ]);
    });
  });

  describe('in the outbox', () => {
    it('are stored once, with a delivery for each active subscribed webhook', async () => {
      const other = await service.client();
      const first = await subscribe();
      const second = await subscribe({ events: ['contact.created', 'contact.deleted'] });
      const others = [
        await subscribe({ is_active: false }),
        await subscribe({ events: ['contact.deleted'] }),
        await subscribe({}, other),
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

    it('are not stored without an active webhook', async () => {
      await subscribe({ is_active: false });
      await given.contact();
      expect(await takeEvents()).toEqual([]);
    });

    it('are rolled back with the transaction that publishes them', async () => {
      await subscribe();
      const { id, email } = await given.contact();
      await takeEvents();
      expect((await api.post('/contacts', { email })).status).toBe(409);
      const failing = (await scope()).transaction(async (tx) => {
        await service.app
          .get(ContactStatuses, { strict: false })
          .unsubscribe(tx, sql`SELECT ${id}::bigint`, { source: 'link' });
        throw new Error('the transaction fails');
      });
      await expect(failing).rejects.toThrow('the transaction fails');
      expect(await takeEvents()).toEqual([]);
    });
  });
});

/** The `data` of an unsubscribe without a message. */
const withoutMessage = ({ id, email }: { id: number; email: string }) => ({
  message_id: null,
  campaign_id: null,
  step_id: null,
  variant_id: null,
  enrollment_id: null,
  contact_id: id,
  email,
  email_account_id: null,
  subject: null,
  occurred_at: OCCURRED_AT,
});
