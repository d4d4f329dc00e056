import { once } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { ApiClient } from '../support/api-client.js';
import type { Schema } from '../support/api-schemas.js';
import { eventually } from '../support/eventually.js';
import { TIMESTAMP, UNKNOWN_ID } from '../support/expected.js';
import { Given } from '../support/given.js';
import { Mailroom } from '../support/replies.js';
import { useSharedService } from '../support/service.js';
import { openUnread, sendRequest } from '../support/unread-response.js';

const MEGABYTE = 1024 * 1024;
const KEYS = [
  'contact',
  'lists',
  'tags',
  'company',
  'enrollments',
  'messages',
  'activity',
  'replies',
  'consents',
  'blacklist_entry',
];
/** Those of a workspace, one of which is being written, with the pool of the tests. */
const MAX_FILES = 3;

describe('the export of the data of a contact', () => {
  const service = useSharedService();
  let api: ApiClient;
  let given: Given;
  let mailroom: Mailroom;

  beforeEach(async () => {
    api = await service.client();
    given = new Given(api, service.database);
    mailroom = new Mailroom(service, api, given);
  });

  const path = (id: number) => `/contacts/${id}/export`;
  const exported = async (id: number): Promise<Schema<'PersonalData'>> => {
    const { status, body } = await api.get(path(id));
    expect(status).toBe(200);
    return body;
  };
  const download = (id: number, by = api) =>
    fetch(`${service.url}/v1${path(id)}`, { headers: { authorization: `Bearer ${by.token}` } });
  /** Inserts requests for the pixel of a message, most of which bots have made. */
  const insertEvents = (messageId: number, count: number) =>
    service.database.query(
      `INSERT INTO tracking_events (workspace_id, message_id, enrollment_id, kind, link, url, user_agent, classification, created_at)
       SELECT workspace_id, id, enrollment_id, 'click', 1, 'https://example.com/' || n, repeat('Mozilla ', 20), 'agent',
         now() - n * interval '1 second'
       FROM messages, generate_series(1, $2::int) n WHERE id = $1`,
      [messageId, count],
    );
  const transactions = () =>
    service.database.query(
      `SELECT state FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'outreach' AND state <> 'idle'`,
    );

  it('is one JSON document to download, with the members of the contract in their order', async () => {
    const { id } = await given.contact({ first_name: 'Zoë' });
    const response = await download(id);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(response.headers.get('content-disposition')).toBe(`attachment; filename="contact-${id}.json"`);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const document = JSON.parse(await response.text());
    expect(Object.keys(document)).toEqual(KEYS);
    const { data: contact } = await api.get(`/contacts/${id}`);
    expect(document).toEqual({
      contact,
      lists: [],
      tags: [],
      company: null,
      enrollments: [],
      messages: [],
      activity: (await api.get(`/contacts/${id}/activity`)).data,
      replies: [],
      consents: [],
      blacklist_entry: null,
    });
  });

  it('has the memberships, the company, the consents and the own blacklist entry as the API shows them', async () => {
    const [list, tag] = [await given.group('/lists'), await given.group('/tags')];
    const company = await given.group('/companies');
    const fields = { lists: [list.id], tags: [tag.id], company_id: company.id, tracking_consent: 'granted' };
    const contact = await given.contact(fields);
    await api.put(`/contacts/${contact.id}`, { tracking_consent: 'refused' });
    await api.post(`/contacts/${contact.id}/unsubscribe`);
    const entry = (await api.post('/blacklist', { email: contact.email, reason: 'manual' })).data;
    const document = await exported(contact.id);
    expect(document.contact).toEqual((await api.get(`/contacts/${contact.id}`)).data);
    expect([document.lists, document.tags]).toEqual([document.contact.lists, document.contact.tags]);
    expect(document.lists).toMatchObject([{ id: list.id }]);
    expect(document.company).toEqual((await api.get(`/companies/${company.id}`)).data);
    const at = expect.stringMatching(TIMESTAMP);
    expect(document.consents).toEqual([
      { field: 'status', from: 'active', to: 'unsubscribed', source: 'api', created_at: at },
      { field: 'tracking_consent', from: 'granted', to: 'refused', source: 'api', created_at: at },
      { field: 'tracking_consent', from: 'unknown', to: 'granted', source: 'api', created_at: at },
    ]);
    expect(document.blacklist_entry).toEqual((await api.get(`/blacklist/${entry.id}`)).data);
  });

  it('has no blacklist entry of another workspace', async () => {
    const contact = await given.contact();
    await (await service.client()).post('/blacklist', { email: contact.email, reason: 'manual' });
    expect((await exported(contact.id)).blacklist_entry).toBeNull();
  });

  it('has enrollments, messages, replies and answers with their texts, and the user agents of requests', async () => {
    const account = (await api.post('/email-accounts', ACCOUNT)).data;
    const contact = await given.contact();
    const { id, campaign, message_id: messageId } = await mailroom.sent({ contact, account: account.id });
    await insertEvents(id, 1);
    const reply = await mailroom.replied({ to: messageId, from: contact.email });
    const answer = (await api.post(`/replies/${reply.id}/answer`, { body: '<p>Thank you</p>' })).data;
    await mailroom.sent();
    const document = await exported(contact.id);
    const { data: messages } = await api.get(`/campaigns/${campaign.id}/messages`);
    expect(messages.map((message: Schema<'Message'>) => message.id)).toEqual([answer.id, id]);
    expect(document.messages).toEqual([
      { ...messages[0], to: contact.email, html: '<p>Thank you</p>' },
      { ...messages[1], to: null, html: null },
    ]);
    expect(document.replies).toEqual([(await api.get(`/replies/${reply.id}`)).data]);
    const { data: enrollment } = await api.get(`/campaigns/${campaign.id}/contacts/${contact.id}`);
    expect([enrollment]).toMatchObject(document.enrollments);
    expect(Object.keys(document.enrollments[0] ?? {})).toEqual(
      expect.arrayContaining(['id', 'campaign_id', 'contact_id', 'status']),
    );
    const { data: activity } = await api.get(`/contacts/${contact.id}/activity?per_page=100`);
    expect(document.activity).toMatchObject(activity);
    const clicked = document.activity.find(({ type }) => type === 'email.clicked');
    expect(clicked?.data).toEqual({
      url: 'https://example.com/1',
      counted: false,
      bot_reason: 'agent',
      user_agent: 'Mozilla '.repeat(20),
    });
  });

  it('is 404 for a contact of another workspace or that does not exist, and 403 without contacts:read', async () => {
    const { id } = await given.contact();
    const other = await service.client();
    expect((await other.get(path(id))).status).toBe(404);
    for (const wrong of [String(UNKNOWN_ID), '0', 'x']) {
      expect([wrong, (await api.get(`/contacts/${wrong}/export`)).status]).toEqual([wrong, 404]);
    }
    expect((await (await service.client(['contacts:write'])).get(path(id))).status).toBe(403);
    expect((await api.post(path(id))).status).toBe(405);
  });

  it('needs no more memory for 100,000 events, and is complete', async () => {
    const { id, contact } = await mailroom.sent();
    await insertEvents(id, 100_000);
    const collectGarbage = garbageCollector();
    const response = await download(contact.id);
    let [bytes, sampledAt, most, tail] = [0, 0, 0, ''];
    collectGarbage();
    const before = process.memoryUsage().heapUsed;
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length;
      tail = (tail + Buffer.from(chunk).toString('latin1')).slice(-200);
      if (bytes - sampledAt < 4 * MEGABYTE) continue;
      sampledAt = bytes;
      collectGarbage();
      most = Math.max(most, process.memoryUsage().heapUsed - before);
    }
    expect(bytes).toBeGreaterThan(30 * MEGABYTE);
    expect(most).toBeLessThan(8 * MEGABYTE);
    expect(tail).toMatch(/"replies":\[\],"consents":\[\],"blacklist_entry":null\}$/);
    await eventually(async () => expect(await transactions()).toEqual([]));
  });

  it('shows one instant, whatever changes while the client reads', async () => {
    const { id, contact, message_id: messageId } = await mailroom.sent();
    await insertEvents(id, 50_000);
    const response = await download(contact.id);
    const reader = response.body?.getReader();
    const first = await reader?.read();
    await mailroom.replied({ to: messageId, from: contact.email });
    await api.put(`/contacts/${contact.id}`, { tracking_consent: 'refused' });
    await api.delete(`/contacts/${contact.id}`);
    const parts = [Buffer.from(first?.value ?? [])];
    for (let part = await reader?.read(); part?.value; part = await reader?.read()) parts.push(Buffer.from(part.value));
    const document = JSON.parse(Buffer.concat(parts).toString()) as Schema<'PersonalData'>;
    expect(document.activity).toHaveLength(50_003);
    expect([document.enrollments.length, document.messages.length, document.replies, document.consents]).toEqual([
      1,
      1,
      [],
      [],
    ]);
    expect((await api.get(path(contact.id))).status).toBe(404);
  });

  it('has a share per workspace, and frees connection and transaction when a client is gone', async () => {
    const { id, contact } = await mailroom.sent();
    const theirs = await service.client();
    const { id: other } = await new Given(theirs, service.database).contact();
    await insertEvents(id, 100_000);
    const client = await openUnread(service.url, api, path(contact.id));
    const begun = Array.from({ length: MAX_FILES }, async () => {
      const socket = sendRequest(service.url, api, path(contact.id));
      const [first] = (await once(socket, 'data')) as [Buffer];
      socket.destroy();
      return first.toString('latin1', 9, 12);
    });
    expect(await Promise.race(begun)).toBe('429');
    expect((await api.get(path(contact.id))).body.reason).toBe('busy');
    expect((await download(other, theirs)).status).toBe(200);
    expect((await api.get('/contacts')).status).toBe(200);
    client.destroy();
    expect((await Promise.all(begun)).sort()).toEqual(['200', '200', '429']);
    await eventually(async () => expect(await transactions()).toEqual([]));
    expect((await exported(contact.id)).activity).toHaveLength(100_003);
  });
});

const ACCOUNT = {
  name: 'Mailbox',
  type: 'sendgrid',
  from_email: 'sales@sender.example',
  from_name: 'Sales',
  sendgrid_api_key: 'SG.key',
};

/** Returns a function that collects all garbage, so that the heap has only what is in use. */
function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}
