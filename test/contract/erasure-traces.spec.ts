import type { ApiClient } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { Mailroom, rawReply } from '../support/replies.js';
import { useService } from '../support/service.js';
import { occurrences, storedData } from '../support/stored-data.js';

const FORMER = 'q.maiden@former-person.example';
const PERSON = {
  email: 'quirina.zebulon@private-person.example',
  first_name: 'Quirinä',
  last_name: "O'Zebulonsky",
  phone: '+49 170 5550199',
  linkedin_url: 'https://www.linkedin.com/in/quirina-zebulonsky',
  external_id: 'crm-zebulon-77',
  custom_fields: { pet: 'Grumbledog' },
};
const VALUES = [
  FORMER,
  PERSON.email,
  PERSON.first_name,
  PERSON.last_name,
  PERSON.phone,
  PERSON.linkedin_url,
  PERSON.external_id,
  PERSON.custom_fields.pet,
];

describe('what tells of an erased person outside of its contact', () => {
  const service = useService();
  let api: ApiClient;
  let given: Given;
  let sink: MailSink;

  beforeAll(async () => {
    await service.startWorker();
    sink = await MailSink.start();
  });
  afterAll(() => sink.stop());
  beforeEach(async () => {
    api = await service.client();
    given = new Given(api, service.database);
  });

  const erase = async (id: number) => expect((await api.post(`/contacts/${id}/erase`)).status).toBe(204);
  const left = async () => occurrences(await storedData(service.database), VALUES);
  /** A contact that had another address before. */
  const renamed = async () => {
    const contact = await given.contact({ ...PERSON, email: FORMER });
    expect((await api.put(`/contacts/${contact.id}`, { email: PERSON.email })).status).toBe(200);
    return contact;
  };
  const upload = (csv: string, name: string, headers = {}) => {
    const form = new FormData();
    form.set('file', new Blob([csv]), name);
    return api.post('/contacts/import', form, headers);
  };

  it('is deleted with the messages of a sandbox, to an earlier address and in tests', async () => {
    api = await service.sandbox();
    given = new Given(api, service.database);
    const account = { smtp_host: 'mail.example', smtp_port: 587, smtp_username: 'u', smtp_password: 'p' };
    await given.mailbox(sink, account);
    const contact = await given.contact({ ...PERSON, email: FORMER });
    const steps = [{ subject: 'Hello', body: '<p>{{ custom_fields.pet }}</p>' }];
    const campaign = await given.running([contact.id, (await given.contact()).id], { steps });
    const sent = async () => (await api.get('/sandbox/messages')).data;
    await eventually(async () => expect(await sent()).toHaveLength(2));
    await api.put(`/contacts/${contact.id}`, { email: PERSON.email });
    const [step] = (await api.get(`/campaigns/${campaign.id}/steps`)).data;
    const test = { to: 'author@example.com', contact_id: contact.id };
    expect((await api.post(`/campaigns/${campaign.id}/steps/${step.id}/test-send`, test)).data.success).toBe(true);
    expect(await sent()).toHaveLength(3);
    await erase(contact.id);
    expect(await sent()).toHaveLength(1);
    expect(await left()).toEqual([]);
  });

  it('is replaced in conditions of segments, which are counted again', async () => {
    const contact = await renamed();
    await given.contact({ phone: '+49 30 111' });
    const [email, former] = [PERSON.email.toUpperCase(), FORMER];
    const conditions = [
      ...[email, former].map((value) => ({ field: 'email', operator: 'starts_with', value })),
      ...(['phone', 'linkedin_url', 'external_id'] as const).map((field) => {
        return { field, operator: 'equals', value: PERSON[field] };
      }),
      { field: 'full_name', operator: 'contains', value: `${PERSON.first_name} ${PERSON.last_name}` },
      { field: 'phone', operator: 'starts_with', value: '+49' },
    ];
    const one = await given.segment(conditions.slice(0, 1));
    await given.group('/custom-fields', { key: 'number', label: 'Number', type: 'number' });
    const { id: tag } = await given.group('/tags');
    const numbers = [
      { field: 'tag_id', operator: 'not_equals', value: String(tag) },
      { field: 'custom_fields.number', operator: 'greater_than', value: '100234' },
    ];
    const others = await given.segment(numbers);
    const all = await given.segment(conditions, { match_type: 'any' });
    const numbered = await given.contact({ external_id: '100234', phone: String(tag).padStart(6, '0') });
    await erase(contact.id);
    await erase(numbered.id);
    expect(await left()).toEqual([]);
    expect((await api.get(`/segments/${others.id}`)).data).toMatchObject({ conditions: numbers });
    await api.delete(`/segments/${others.id}`);
    const { data } = await api.get('/segments?sort=created_at&direction=asc');
    expect(data).toMatchObject([
      { id: one.id, contacts_count: 0 },
      { id: all.id, contacts_count: 1 },
    ]);
    expect(data[1].conditions.map(({ value }: { value: string }) => value)).toEqual([
      ...Array(6).fill('erased'),
      '+49',
    ]);
    expect(data[1].conditions.map(({ operator }: { operator: string }) => operator)).toEqual(
      conditions.map(({ operator }) => operator),
    );
  });

  it('is replaced in conditions of segments that ask for a number of the person in a custom field', async () => {
    for (const [key, type] of [
      ['customer', 'text'],
      ['plan', 'text'],
      ['renewal', 'date'],
    ]) {
      await given.group('/custom-fields', { key, label: key, type });
    }
    const values = { customer: 'K-1048-22', plan: 'Plan 2026', renewal: '2026-12-24' };
    const contact = await given.contact({ custom_fields: values });
    await given.contact({ custom_fields: { plan: 'Plan 2026', customer: 'k-1048-22' } });
    const conditionOf = (key: string, value: string) => ({ field: `custom_fields.${key}`, operator: 'equals', value });
    const conditions = [
      conditionOf('customer', 'k-1048-22'),
      conditionOf('customer', 'K-1048-23'),
      ...Object.entries(values).map(([key, value]) => conditionOf(key, value)),
      { field: 'job_title', operator: 'equals', value: values.customer },
    ];
    const { id } = await given.segment(conditions, { match_type: 'any' });
    await erase(contact.id);
    const { data } = await api.get(`/segments/${id}`);
    expect(data.conditions.map(({ value }: { value: string }) => value)).toEqual([
      'k-1048-22',
      'K-1048-23',
      'erased',
      'Plan 2026',
      '2026-12-24',
      'K-1048-22',
    ]);
    expect(data.contacts_count).toBe(1);
  });

  it('is removed from the errors of refused rows, whatever cell they show, and from the stored response and the file name', async () => {
    await given.group('/custom-fields', { key: 'lucky', label: 'Lucky', type: 'number' });
    const contact = await renamed();
    const csv =
      `email,custom_fields.lucky\n${PERSON.email},Grumbledog\n${FORMER.toUpperCase()},Grumbledog 2\n` +
      `jo.${PERSON.email},bad\nx@example.com,worse\n`;
    const importing = () => upload(csv, `${PERSON.email}.csv`, { 'idempotency-key': 'import' });
    const { data } = await importing();
    expect(data).toMatchObject({ failed: 4, errors: [{ value: 'Grumbledog' }, { value: 'Grumbledog 2' }, {}, {}] });
    await erase(contact.id);
    const record = (await api.get(`/imports/${data.import_id}`)).data;
    expect(record.file_name).toBeNull();
    expect(record.errors.map(({ row, value }: { row: number; value: string | null }) => [row, value])).toEqual([
      [2, null],
      [3, null],
      [4, 'bad'],
      [5, 'worse'],
    ]);
    const refused = (await api.get(`/imports/${data.import_id}/refused`)).body as string;
    expect(refused.trim().split(/\r?\n/)).toHaveLength(3);
    expect(refused).toContain(`jo.${PERSON.email}`);
    expect((await importing()).body).toMatchObject({ code: 409, reason: 'response_not_stored' });
    await service.database.query('DELETE FROM import_refused_rows WHERE workspace_id = $1', [api.workspaceId]);
    expect(await left()).toEqual([]);
  });

  it('is replaced in the replies of others, and the names of other people stay', async () => {
    const mailroom = new Mailroom(service, api, given);
    const contact = await renamed();
    const other = await given.contact({ email: 'bystander@example.com' });
    const namesake = await given.contact({ email: 'namesake@example.com', ...names(PERSON) });
    const [message, ofNamesake] = [await mailroom.sent({ contact: other }), await mailroom.sent({ contact: namesake })];
    const text = [
      `Ask Quirinä O'Zebulonsky, ${PERSON.phone}, ${PERSON.linkedin_url} or ${FORMER}.`,
      `On Monday, O'Zebulonsky, Quirinä <${PERSON.email.toUpperCase()}> wrote to jo.${PERSON.email}`,
    ];
    const subject = 'About Quirinä M. O’Connor';
    const from = { from: 'bystander@example.com', to: message.message_id };
    await mailroom.receive(rawReply({ ...from, subject, text: text.join('\n') }));
    const signed = `Yes!\nQuirinä O'Zebulonsky`;
    await mailroom.receive(rawReply({ from: 'namesake@example.com', to: ofNamesake.message_id, text: signed }));
    await mailroom.receive(rawReply({ from: FORMER, to: message.message_id, text: 'I reply for Bystander.' }));
    await erase(contact.id);
    const replies = (await api.get('/replies')).data;
    const shown = replies.map((reply: { subject: string; text: string }) => [reply.subject, reply.text]);
    expect(shown.sort()).toEqual([
      ['', ''],
      [subject, `Ask erased, erased, erased or erased.\nOn Monday, erased <erased> wrote to jo.${PERSON.email}`],
      ['Re: Hello', signed],
    ]);
    await erase(namesake.id);
    await service.database.query('DELETE FROM replies WHERE workspace_id = $1', [api.workspaceId]);
    expect(await left()).toEqual([]);
  });

  it('is an entry of the blacklist with an earlier address, too, which becomes a hash that still blocks it', async () => {
    await api.post('/blacklist', { email: FORMER });
    const contact = await renamed();
    await erase(contact.id);
    const { data } = await api.get('/blacklist');
    expect(data).toMatchObject([{ email: expect.stringMatching(/^hmac-sha256:/) }]);
    const check = await api.post('/blacklist/check', { email: FORMER.toUpperCase() });
    expect(check.data.is_blacklisted).toBe(true);
    expect(await left()).toEqual([]);
  });

  it('is the digest of the body of a request, from which it could be guessed', async () => {
    const body = { email: PERSON.email };
    const key = { 'idempotency-key': 'create' };
    const contact = (await api.post('/contacts', body, key)).body;
    await erase(contact.id);
    const [stored] = await service.database.query('SELECT * FROM idempotency_keys WHERE workspace_id = $1', [
      api.workspaceId,
    ]);
    expect(stored).toMatchObject({ body_hash: '', response: null });
    for (const repeated of [body, { email: 'other@example.com' }])
      expect((await api.post('/contacts', repeated, key)).body.reason).toBe('response_not_stored');
  });

  it('is an Idempotency-Key that contains an address of the person anywhere, which is deleted', async () => {
    const address = 'quirina+x@bücher.example';
    const contact = await given.contact({ email: FORMER });
    await api.put(`/contacts/${contact.id}`, { email: address });
    const { email } = (await api.get(`/contacts/${contact.id}`)).data;
    const keys = [
      ...[`import${FORMER}2026`, `x.${FORMER.toUpperCase()}.csv`, encodeURIComponent(FORMER), `50%-${FORMER}%zz`],
      ...[`a_${email}_b`, `"${encodeURIComponent(address)}"`, Buffer.from(`1${address}1`).toString('latin1')],
      ...[encodeURIComponent(`%40${encodeURIComponent(FORMER)}`), `{"to":"${FORMER.replace('@', '\\u0040')}"}`],
    ];
    const others = ['q.maiden@former', 'maiden@former-person.example', 'order-1'];
    for (const [index, key] of [...keys, ...others].entries())
      expect((await api.post('/lists', { name: `List ${index}` }, { 'idempotency-key': key })).status).toBe(201);
    await erase(contact.id);
    const stored = await service.database.query<{ key: string }>(
      `SELECT key FROM idempotency_keys WHERE workspace_id = $1 AND path = '/v1/lists' ORDER BY key`,
      [api.workspaceId],
    );
    expect(stored.map(({ key }) => key)).toEqual([...others].sort());
    const name = `List ${keys.length + others.indexOf('order-1')}`;
    const again = await api.post('/lists', { name }, { 'idempotency-key': 'order-1' });
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
  });

  it('is not what was about an address that contains the one of the person', async () => {
    const contact = await given.contact({ email: PERSON.email });
    const longer = { email: `jo.${PERSON.email}` };
    const key = { 'idempotency-key': 'longer' };
    const created = await api.post('/contacts', longer, key);
    await erase(contact.id);
    expect((await api.post('/contacts', longer, key)).body).toEqual(created.body);
  });

  it('is at most ten earlier addresses of a contact, without the one that it has got again', async () => {
    const emails = Array.from({ length: 13 }, (_, n) => `address${n}@example.com`);
    const contact = await given.contact({ email: emails[0] });
    for (const email of [...emails.slice(1), emails[10]]) await api.put(`/contacts/${contact.id}`, { email });
    const bulk = { match: 'external_id', on_match: 'update', contacts: [{ external_id: 'e', email: 'b@example.com' }] };
    await api.put(`/contacts/${contact.id}`, { external_id: 'e' });
    expect((await api.post('/contacts/bulk-upsert', bulk)).data.updated).toBe(1);
    const stored = await service.database.query<{ email: string }>(
      'SELECT email FROM former_emails WHERE workspace_id = $1 ORDER BY replaced_at DESC',
      [api.workspaceId],
    );
    expect(stored.map(({ email }) => email)).toEqual(
      [10, 12, 11, 9, 8, 7, 6, 5, 4, 3].map((number) => `address${number}@example.com`),
    );
    const document = (await api.get(`/contacts/${contact.id}/export`)).body;
    expect(document.former_emails).toEqual(stored.map(({ email }) => email));
  });
});

const names = ({ first_name, last_name }: typeof PERSON) => ({ first_name, last_name });
