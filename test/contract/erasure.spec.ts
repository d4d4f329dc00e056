import { readFile } from 'node:fs/promises';
import { findTenantTables } from '../../src/app/workspace-deletion/tenant-tables.js';
import { Database } from '../../src/platform/database/index.js';
import { ERASED_TABLES } from '../../src/personal-data/index.js';
import { ApiClient } from '../support/api-client.js';
import type { Schema } from '../support/api-schemas.js';
import { eventually } from '../support/eventually.js';
import { UNKNOWN_ID } from '../support/expected.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { Mailroom, rawReply } from '../support/replies.js';
import { useService } from '../support/service.js';
import { ServiceProcess } from '../support/service-process.js';
import { occurrences, storedData } from '../support/stored-data.js';
import { TRUSTING_RECEIVERS, WebhookReceiver } from '../support/webhook-receiver.js';

const EVENTS = [
  ...['contact.created', 'contact.updated', 'contact.deleted', 'email.sent', 'email.delivered', 'email.opened'],
  ...['email.clicked', 'email.replied', 'email.unsubscribed', 'email.bounced', 'email.complained'],
];

/** What no other contact has. */
const PERSON = {
  email: 'Quirina.Zebulon+x@private-person.example',
  first_name: 'Quirinä',
  last_name: "O'Zebulonsky",
  company: 'Zebulonsky Solo Works',
  phone: '+49 170 5550199',
  job_title: 'Zebu whisperer',
  linkedin_url: 'https://www.linkedin.com/in/quirina-zebulonsky',
  custom_fields: { pet: 'Grumbledog the Third', lucky: 4_815_162_342, birthday: '1977-03-14', note: 'line, "quoted"' },
};
const BLOCKED = 'blocked-person@private-person.example';
const OLD_PHONE = '+49 170 5550111';
const REPLY_TEXT = 'My grandmother Wilhelmine will decide on Thursday';
const ABSENCE_TEXT = 'I am sailing around Cape Horn with Wilhelmine';
const ANSWER_TEXT = 'Greetings to grandmother and the cape';
const LINK = 'https://example.com/offer';
const VALUES = [
  PERSON.email,
  PERSON.first_name,
  'Zebulonsky',
  PERSON.company,
  PERSON.phone,
  OLD_PHONE,
  PERSON.job_title,
  PERSON.linkedin_url,
  'Grumbledog',
  String(PERSON.custom_fields.lucky),
  PERSON.custom_fields.birthday,
  String(Date.parse(PERSON.custom_fields.birthday)),
  PERSON.custom_fields.note,
  REPLY_TEXT,
  ABSENCE_TEXT,
  ANSWER_TEXT,
  'Wilhelmine',
];

describe('erasing a contact', () => {
  const service = useService({ LOG_LEVEL: 'fatal' });
  /** The API and a worker. */
  let server: ServiceProcess;
  let sink: MailSink;
  let receiver: WebhookReceiver;
  let api: ApiClient;
  let given: Given;
  let mailroom: Mailroom;

  beforeAll(async () => {
    server = await ServiceProcess.startApi(service, { ROLE: 'all', LOG_LEVEL: 'debug', ...TRUSTING_RECEIVERS });
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    const { token, workspaceId } = await service.client();
    api = new ApiClient(server.url, token, workspaceId);
    given = new Given(api, service.database);
    mailroom = new Mailroom(service, api, given);
    sink = await MailSink.start();
    receiver = await WebhookReceiver.start();
    receiver.reply = ({ raw }) => ({ body: `I have got ${raw.toString()}` });
  });
  afterEach(async () => {
    await sink.stop();
    await receiver.stop();
  });

  const erase = (id: number, headers = {}) => api.post(`/contacts/${id}/erase`, undefined, headers);
  const subscribe = (events: readonly string[] = EVENTS) => api.post('/webhooks', { url: receiver.url(), events });
  const upload = (csv: string, headers = {}) => {
    const form = new FormData();
    form.set('file', new Blob([csv]), 'contacts.csv');
    return api.post('/contacts/import', form, headers);
  };
  const allDelivered = () =>
    eventually(async () => {
      expect(await service.database.query('SELECT 1 FROM webhook_deliveries')).toEqual([]);
    });
  const path = (url: string) => server.url + new URL(url.replaceAll('&amp;', '&')).pathname;

  /** Fills every table of a workspace that has personal data, through the API. */
  async function fill() {
    const hook = (await subscribe()).data;
    const account = await given.mailbox(sink);
    const [list, tag] = [await given.group('/lists'), await given.group('/tags')];
    const key = `create ${PERSON.email}`;
    const contact = (await api.post('/contacts', { ...PERSON, phone: OLD_PHONE }, { 'idempotency-key': key })).body;
    await api.put(`/contacts/${contact.id}`, { phone: PERSON.phone, lists: [list.id], tags: [tag.id] });
    const other = await given.contact({ email: 'bystander@example.com', first_name: 'Bystander' });
    const campaign = await given.running([contact.id, other.id], {
      email_account_ids: [account.id],
      steps: [
        {
          subject: 'Hello {{ first_name }}',
          body: `<p>{{ last_name }} <a href="${LINK}">an offer</a> {{ unsubscribe_url }}</p>`,
        },
        { subject: 'Again {{ first_name }}', body: '<p>Again</p>', delay_minutes: 1_000 },
      ],
    });
    await eventually(() => expect(sink.mails).toHaveLength(2));
    const messages = await eventually(async () => {
      const { data } = await api.get(`/campaigns/${campaign.id}/messages?status=sent`);
      expect(data).toHaveLength(2);
      return data as Schema<'Message'>[];
    });
    return { hook, account, contact, other, campaign, messages };
  }
  type Filled = Awaited<ReturnType<typeof fill>>;

  const messageTo = ({ messages }: Filled, contact: { readonly id: number }) => {
    const message = messages.find(({ contact_id: id }) => id === contact.id);
    if (!message?.message_id) throw new Error('There is no message to the contact.');
    return { ...message, message_id: message.message_id };
  };

  /** Opens, clicks, replies, answers, refused rows, a segment, the blacklist, and stored responses. */
  async function useEverything(filled: Filled) {
    const { contact, other } = filled;
    const mail = sink.mails.find(({ to }) => to.includes(PERSON.email.toLowerCase()));
    const content = (mail?.raw ?? '').replaceAll('=\r\n', '').replaceAll('=3D', '=');
    for (const [url] of content.matchAll(/http:\/\/outreach\.test\/t\/[oc]\/[\w./-]+/g))
      await fetch(path(url), { redirect: 'manual', headers: { 'user-agent': 'Mozilla/5.0 Wilhelmine' } });
    const [own, ofOther] = [messageTo(filled, contact), messageTo(filled, other)];
    const from = `"Quirinä O'Zebulonsky" <${PERSON.email}>`;
    await mailroom.receive(
      rawReply({ to: own.message_id, from, text: ABSENCE_TEXT, header: ['Auto-Submitted: auto-replied'] }),
    );
    await mailroom.receive(rawReply({ to: own.message_id, from, text: REPLY_TEXT }));
    const text = `I do this for Bystander. ${REPLY_TEXT}`;
    await mailroom.receive(rawReply({ to: ofOther.message_id, from, subject: 'Zebulonsky helps', text }));
    await mailroom.receive(
      rawReply({ to: ofOther.message_id, from: 'bystander@example.com', text: `Ask ${PERSON.email} instead` }),
    );
    const replies: Schema<'Reply'>[] = (await api.get('/replies?per_page=100')).data;
    expect(replies).toHaveLength(4);
    for (const reply of replies.filter(({ from: sender }) => sender.address === PERSON.email.toLowerCase()))
      await api.post(`/replies/${reply.id}/answer`, { body: `<p>${ANSWER_TEXT}</p>` });
    await eventually(() => expect(sink.mails.length).toBeGreaterThanOrEqual(4));
    await upload(
      `email,first_name,last_name,phone,custom_fields.pet\n` +
        `${PERSON.email}@,Quirinä,O'Zebulonsky,,Grumbledog\n` +
        `broken address,Quirinä,"O'Zebulonsky",,Grumbledog\n` +
        `good@example.com,Good,Person,,\nbroken,Somebody,Else,,Cat\n`,
    );
    await given.segment([{ field: 'email', operator: 'equals', value: PERSON.email.toLowerCase() }]);
    await api.post('/blacklist', { email: PERSON.email, reason: 'manual' });
    await api.post(`/contacts/${contact.id}/unsubscribe`, undefined, { 'idempotency-key': 'unsubscribe' });
    await service.database.query(
      `INSERT INTO provider_callbacks (workspace_id, provider, body, events, received_at, next_attempt_at)
       VALUES ($1, 'sendgrid', convert_to($2, 'UTF8'), 1, now(), now() + interval '1 hour')`,
      [api.workspaceId, JSON.stringify([{ email: PERSON.email, event: 'open' }, { email: 'bystander@example.com' }])],
    );
    // Answers that are being sent, and requests that may be those of bots, would change the figures later.
    await eventually(async () => {
      expect(await service.database.query('SELECT 1 FROM queued_messages')).toEqual([]);
      const undecided = `SELECT 1 FROM tracking_events WHERE classification = 'undecided'`;
      expect(await service.database.query(undecided)).toEqual([]);
    });
    await allDelivered();
  }

  it('leaves nothing that tells of the person in any table, any queue or the log; the figures of its campaigns stay', async () => {
    const filled = await fill();
    const { contact, campaign, hook } = filled;
    await useEverything(filled);
    const before = occurrences(await storedData(service.database), VALUES);
    const redacted = Object.entries(ERASED_TABLES).filter(([, { kind }]) => kind === 'redacted');
    // Stored responses are encrypted: see the test of repeated requests.
    for (const [table] of redacted.filter(([name]) => name !== 'idempotency_keys'))
      expect(before).toContainEqual(expect.stringContaining(`public.${table}`));
    const stats = (await api.get(`/campaigns/${campaign.id}/stats`)).data;
    expect(stats.messages).toMatchObject({ sent: 2, replied: 2, failed: 0 });
    const logs = (await api.get(`/webhooks/${hook.id}/logs?per_page=100`)).body;

    expect((await erase(contact.id)).status).toBe(204);

    await allDelivered();
    expect(occurrences(await storedData(service.database), VALUES)).toEqual([]);
    const log = new Map([['log', server.errorOutput]]);
    expect(log.get('log')).toContain(`/v1/contacts/${contact.id}/erase`);
    expect(occurrences(log, VALUES)).toEqual([]);
    expect((await api.get(`/campaigns/${campaign.id}/stats`)).data).toEqual(stats);
    expect((await api.get(`/contacts/${contact.id}`)).status).toBe(404);
    const later = (await api.get(`/webhooks/${hook.id}/logs?per_page=100`)).body;
    expect(later.meta.total).toBe(logs.meta.total + 1);
    expect(later.data[0]).toMatchObject({
      event: 'contact.deleted',
      success: true,
      payload: { data: { id: contact.id } },
    });
    expect(Object.keys(later.data[0].payload.data)).toEqual(['id']);
    expect(receiver.received.at(-1)?.body).toEqual({
      event: 'contact.deleted',
      workspace_id: api.workspaceId,
      data: { id: contact.id },
    });
    expect(later.data).toContainEqual(
      expect.objectContaining({
        event: 'email.sent',
        payload: expect.objectContaining({ data: expect.objectContaining({ email: 'bystander@example.com' }) }),
      }),
    );
  });

  it('redacts the events that wait, and what a running attempt has read before is not recorded', async () => {
    let attempts = 0;
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    receiver.reply = ({ raw }) => {
      attempts += 1;
      return { body: `I have got ${raw.toString()}`, ...(attempts === 1 ? { wait: () => released } : {}) };
    };
    const hook = (await subscribe(['contact.created'])).data;
    const contact = await given.contact({ email: PERSON.email });
    await eventually(() => expect(attempts).toBe(1));
    await erase(contact.id);
    release();
    await allDelivered();
    expect(receiver.received.map(({ body }) => body.data)).toEqual([
      expect.objectContaining({ email: PERSON.email.toLowerCase() }),
      { id: contact.id },
    ]);
    const { data: logs } = await api.get(`/webhooks/${hook.id}/logs`);
    expect(logs).toHaveLength(1);
    expect(occurrences(await storedData(service.database), VALUES)).toEqual([]);
  });

  it('does not show what is left of many events, and workers erase it', async () => {
    const contact = await given.contact({ email: PERSON.email });
    const hook = (await subscribe(['contact.created'])).data;
    await service.database.query(
      `WITH event AS (
         INSERT INTO webhook_events (workspace_id, event, contact_id, payload)
         SELECT $1, 'contact.updated', $2, json_build_object('event', 'contact.updated', 'workspace_id', $1::bigint, 'data',
           json_build_object('id', $2::bigint, 'email', $3::text)) FROM generate_series(1, 2500) RETURNING *
       ), counted AS (
         INSERT INTO webhook_log_counts (workspace_id, webhook_id, day, event, status_code, success, total)
         VALUES ($1, $4, (now() AT TIME ZONE 'UTC')::date, 'contact.updated', 200, TRUE, 2500)
       )
       INSERT INTO webhook_logs (workspace_id, webhook_id, event, event_id, event_created_at, delivery_id, attempt,
         status_code, success, response)
       SELECT $1, $4, 'contact.updated', id, created_at, gen_random_uuid(), 1, 200, TRUE, $3 FROM event`,
      [api.workspaceId, contact.id, PERSON.email, hook.id],
    );
    expect((await erase(contact.id)).status).toBe(204);
    const { data: shown } = await api.get(`/webhooks/${hook.id}/logs?per_page=100`);
    expect(shown).toHaveLength(100);
    for (const { payload, response } of shown) expect([payload.data, response]).toEqual([{ id: contact.id }, '']);
    await eventually(async () => {
      expect(occurrences(await storedData(service.database), VALUES)).toEqual([]);
    });
  });

  it('clears the values that it has searched for with the last search', async () => {
    const { id } = await given.contact({ email: PERSON.email });
    await erase(id);
    const [open] = await service.database.query('SELECT * FROM erasures WHERE contact_id = $1', [id]);
    expect(open).toMatchObject({
      completed_at: null,
      is_last_search: true,
      subject_encrypted: expect.stringMatching(/^v1/),
    });
    await service.database.query('UPDATE erasures SET next_run_at = now() WHERE contact_id = $1', [id]);
    await eventually(async () => {
      const [completed] = await service.database.query('SELECT * FROM erasures WHERE contact_id = $1', [id]);
      expect(completed).toMatchObject({ completed_at: expect.any(Date), subject_encrypted: null });
    });
  });

  it('finds a response that another transaction has stored meanwhile', async () => {
    const { id } = await given.contact({ email: PERSON.email });
    const stored = await api.post('/tags', { name: `of ${PERSON.email}` }, { 'idempotency-key': 'late' });
    expect(stored.status).toBe(201);
    const late = (
      await service.database.query('SELECT * FROM idempotency_keys WHERE workspace_id = $1', [api.workspaceId])
    )[0];
    await service.database.query('DELETE FROM idempotency_keys WHERE workspace_id = $1', [api.workspaceId]);
    await erase(id);
    const { token_id, path: of, key, body_hash, status, response } = late as Record<string, unknown>;
    await service.database.query(
      `INSERT INTO idempotency_keys (workspace_id, token_id, path, key, body_hash, status, response)
       VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [api.workspaceId, token_id, of, key, body_hash, status, response],
    );
    await service.database.query('UPDATE erasures SET next_run_at = now() WHERE contact_id = $1', [id]);
    await eventually(async () => {
      const rows = await service.database.query('SELECT response FROM idempotency_keys WHERE workspace_id = $1', [
        api.workspaceId,
      ]);
      expect(rows).toEqual([{ response: null }]);
    });
  });

  it('repeats no response that tells of the person: a repeated request gets 409', async () => {
    const created = await api.post('/contacts', { email: PERSON.email }, { 'idempotency-key': 'create' });
    const unsubscribe = () =>
      api.post(`/contacts/${created.body.id}/unsubscribe`, undefined, { 'idempotency-key': 'unsubscribe' });
    await unsubscribe();
    const other = await api.post('/contacts', { email: 'other@example.com' }, { 'idempotency-key': 'other' });
    expect((await erase(created.body.id, { 'idempotency-key': 'erase' })).status).toBe(204);
    expect((await erase(created.body.id, { 'idempotency-key': 'erase' })).status).toBe(204);
    expect((await unsubscribe()).body).toMatchObject({ code: 409, reason: 'response_not_stored' });
    const again = await api.post('/contacts', { email: PERSON.email }, { 'idempotency-key': 'create' });
    expect(again.body).toMatchObject({ code: 409, reason: 'response_not_stored' });
    const repeated = await api.post('/contacts', { email: 'other@example.com' }, { 'idempotency-key': 'other' });
    expect(repeated.body).toEqual(other.body);
  });

  it('leaves a blacklist entry as a hash that blocks the address in all workspaces', async () => {
    const contact = await given.contact({ email: BLOCKED });
    await api.post('/blacklist', { email: BLOCKED, reason: 'complaint' });
    await erase(contact.id);
    const [entry] = (await api.get('/blacklist')).data;
    expect(entry).toMatchObject({ email: expect.stringMatching(/^hmac-sha256:[0-9a-f]{64}$/), reason: 'complaint' });
    expect((await api.post('/blacklist/check', { email: BLOCKED })).data).toMatchObject({
      is_blacklisted: true,
      reason: 'complaint',
    });
    expect((await api.post('/blacklist', { email: BLOCKED })).status).toBe(422);
    const bulk = await api.post('/blacklist/bulk-create', { emails: [BLOCKED] });
    expect(bulk.data).toEqual({ added: 0, skipped: 1 });

    const theirs = await service.client();
    const otherWorkspace = new Given(theirs, service.database);
    expect((await theirs.post('/blacklist/check', { email: BLOCKED })).data).toMatchObject({
      is_blacklisted: true,
    });
    const account = await otherWorkspace.mailbox(sink);
    const again = await otherWorkspace.contact({ email: BLOCKED });
    const campaign = await otherWorkspace.running([again.id, (await otherWorkspace.contact()).id], {
      email_account_ids: [account.id],
    });
    await eventually(() => expect(sink.mails).toHaveLength(1));
    await eventually(async () => {
      const { data } = await theirs.get(`/campaigns/${campaign.id}/contacts/${again.id}`);
      expect(data.status).toBe('failed');
    });
    const { data: preflight } = await theirs.get(`/campaigns/${campaign.id}/preflight`);
    expect(preflight.recipients.skipped).toEqual({ blacklisted: 1 });

    expect((await api.delete(`/blacklist/${encodeURIComponent(BLOCKED)}`)).status).toBe(204);
    expect((await theirs.post('/blacklist/check', { email: BLOCKED })).data).toMatchObject({
      is_blacklisted: false,
    });
  });

  it('leaves the data of other workspaces about the same address', async () => {
    const theirs = await service.client();
    const same = await new Given(theirs, service.database).contact({ email: BLOCKED });
    const contact = await given.contact({ email: BLOCKED });
    await erase(contact.id);
    expect((await theirs.get(`/contacts/${same.id}`)).data).toEqual(same);
  });

  it('keeps the refused rows of others', async () => {
    const contact = await given.contact(PERSON);
    const { data } = await upload(
      `email,first_name,last_name\nbroken,Quirinä,O'Zebulonsky\nbad,Quirinä,Else\n"also\nbad",Some,Body\n`,
    );
    await erase(contact.id);
    const refused = (await api.get(`/imports/${data.import_id}/refused`)).body as string;
    expect(refused.split(/\r?\n/).filter((line) => line.includes('Quirin'))).toEqual([
      expect.stringContaining('bad,Quirinä,Else'),
    ]);
    expect(refused).toContain('Some,Body');
    const { errors } = (await api.get(`/imports/${data.import_id}`)).data;
    expect(errors).toHaveLength(3);
  });

  it('returns 404 for a contact that does not exist, was erased, or is in another workspace, and 403 without contacts:write', async () => {
    const contact = await given.contact();
    const reader = await service.client(['contacts:read']);
    expect((await reader.post(`/contacts/${contact.id}/erase`)).status).toBe(403);
    expect((await (await service.client()).post(`/contacts/${contact.id}/erase`)).status).toBe(404);
    expect((await erase(contact.id)).status).toBe(204);
    expect((await erase(contact.id)).status).toBe(404);
    expect((await erase(UNKNOWN_ID)).status).toBe(404);
  });

  it('is done once when two requests erase a contact at the same time', async () => {
    const contact = await given.contact(PERSON);
    await subscribe(['contact.deleted']);
    const results = await Promise.all([erase(contact.id), erase(contact.id), erase(contact.id)]);
    expect(results.map(({ status }) => status).sort()).toEqual([204, 404, 404]);
    await allDelivered();
    expect(receiver.received).toHaveLength(1);
  });
});

describe('every table of tenants', () => {
  const service = useService();

  it('is declared with what becomes of it when a contact is erased', async () => {
    const tables = await findTenantTables(service.app.get(Database));
    expect(Object.keys(ERASED_TABLES).sort()).toEqual(tables.map(({ name }) => name).sort());
  });

  it('is part of docs/privacy.md if it has personal data', async () => {
    const page = await readFile('docs/privacy.md', 'utf8');
    const [stored = ''] = page.split('## Who sees it');
    const named = [...stored.matchAll(/`([a-z_]+)`/g)].map(([, name]) => name);
    const personal = Object.entries(ERASED_TABLES).filter(([, { kind }]) => kind !== 'none');
    expect(personal.map(([name]) => name).filter((name) => !named.includes(name))).toEqual([]);
    expect(named.filter((name) => !(String(name) in ERASED_TABLES))).toEqual([]);
  });
});
