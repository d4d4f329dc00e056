import type { ApiClient } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { useService } from '../support/service.js';
import { maxStallOf } from './event-loop.js';

/** How much longer than an ordinary body of the same size an attack may occupy the event loop. */
const MAX_STALL_RATIO = 10;
const MAX_BODY = 256 * 1024;
const RECIPIENTS = 20;

const filled = (part: string, head = ''): string =>
  head + part.repeat(Math.floor((MAX_BODY - head.length) / part.length));

const ORDINARY = filled('<p>Hello there, this is a line of text.</p>\n');

/** Bodies that take long to convert to text, or whose messages take long to compose. */
const ATTACKS: readonly (readonly [string, string])[] = [
  ['very many nested tables', filled('<table><tr><td>')],
  ['very many unclosed elements', filled('<p><b><i><u>')],
  ['very many links without text', filled('<a>')],
  ['very many tracked links', filled('<a href="https://a.test/">x</a>')],
  ['a table of very many cells', filled('<td colspan=9>a', '<table><tr><th>a')],
  ['nothing but "<"', filled('<')],
  ['one attribute', filled('&amp;', '<a href="https://a.test/?')],
  ['500 long values', '<p>{{ long }}</p>'.repeat(500).padEnd(MAX_BODY)],
];

describe('the largest templates', () => {
  const service = useService({ LOG_LEVEL: 'fatal' });
  let sink: MailSink;
  beforeAll(async () => {
    sink = await MailSink.start();
    await service.startWorker();
  });
  afterAll(() => sink.stop());

  const bodyOf = (name: string, body: string): object => ({ name, subject: 'Hi', body });

  /** Sends a body to many recipients of a new workspace, and waits until no message is left. */
  const send = async (body: string): Promise<void> => {
    const api = await service.client();
    const given = new Given(api, service.database);
    await given.mailbox(sink);
    const recipients: number[] = [];
    for (let index = 0; index < RECIPIENTS; index += 1) {
      recipients.push((await given.contact({ custom_fields: { long: 'é='.repeat(700) } })).id);
    }
    const campaign = await given.running(recipients, { steps: [{ subject: 'Hi', body }] });
    await eventually(async () => {
      const { queued, sent, failed } = (await api.get(`/campaigns/${campaign.id}/stats`)).data.messages;
      expect([queued, sent + failed]).toEqual([0, RECIPIENTS]);
    });
  };

  it('with very many variables are refused, as fast as a body without variables is stored', async () => {
    const api = await service.client();
    const tooMany = async (variable: string, count: number): Promise<void> => {
      const { status, body } = await api.post('/templates', bodyOf('x', variable.repeat(count)));
      expect([status, Object.keys(body.errors as object)]).toEqual([422, ['body']]);
    };
    const store = async (): Promise<void> =>
      expect((await api.post('/templates', bodyOf('x', ORDINARY))).status).toBe(201);
    await store();
    const ordinary = await maxStallOf(store);
    // 1 MB, beyond the size, and 256 KB, beyond the number.
    expect((await maxStallOf(() => tooMany('{{a}}', 200_000))) / ordinary).toBeLessThan(MAX_STALL_RATIO);
    expect((await maxStallOf(() => tooMany('{{a}}', 50_000))) / ordinary).toBeLessThan(MAX_STALL_RATIO);
  });

  it.each(ATTACKS)(
    'made of %s do not occupy the process longer than an ordinary one while they are sent',
    async (_, body) => {
      await send(ORDINARY);
      const ordinary = await maxStallOf(() => send(ORDINARY));
      expect((await maxStallOf(() => send(body))) / ordinary).toBeLessThan(MAX_STALL_RATIO);
    },
  );

  it('of one workspace do not delay the messages of another beyond its part', async () => {
    const [theirs, honest] = [await service.client(), await service.client()];
    const [large, small] = [new Given(theirs, service.database), new Given(honest, service.database)];
    await large.mailbox(sink, { from_email: 'large@sender.example' });
    await small.mailbox(sink, { from_email: 'small@sender.example' });
    const messages = (from: string): number => sink.mails.filter((mail) => mail.from.startsWith(from)).length;
    const body = filled('<a href="https://a.test/">&eacute;</a>');
    await large.running(await large.contacts(200, 'l'), { steps: [{ subject: 'Hi', body }] });
    await eventually(() => expect(messages('large')).toBeGreaterThan(5));
    await small.running(await small.contacts(50, 's'));
    await eventually(() => expect(messages('small')).toBe(50));
    const senders = sink.mails.map(({ from }) => from.split('@', 1).join());
    const during = senders.slice(senders.indexOf('small'), senders.lastIndexOf('small'));
    // Both have five connections, so that about as many large messages are sent meanwhile.
    expect(during.filter((sender) => sender === 'large').length).toBeLessThanOrEqual(100);
    expect(messages('large')).toBeLessThan(200);
  });
});

describe('a line break in a value', () => {
  const service = useService({ LOG_LEVEL: 'fatal' });
  let sink: MailSink;
  let api: ApiClient;
  let given: Given;
  beforeAll(async () => {
    sink = await MailSink.start();
    await service.startWorker();
    api = await service.client();
    given = new Given(api, service.database);
  });
  afterAll(() => sink.stop());

  const BREAKS = ['\r\n', '\n', '\r', '\u0085', '\u2028', '\u2029', '\v', '\f', '\r\n\r\n'];
  const INJECTED = 'X-Injected: yes';

  /** The names of the header fields, in lower case and in order. */
  const fieldNames = (raw: string): string[] =>
    (raw.split('\r\n\r\n', 1)[0] ?? '')
      .replace(/\r\n[ \t]/g, ' ')
      .split('\r\n')
      .map((line) => line.slice(0, line.indexOf(':')).toLowerCase());

  it.each([
    ['/email-accounts', 'from_name', { name: 'x', type: 'smtp', from_email: 'a@sender.example', from_name: 'x' }],
    ['/templates', 'subject', { name: 'x', subject: 'x', body: '<p>x</p>' }],
    ['/campaigns', 'steps.0.subject', { name: 'x', steps: [{ subject: 'x', body: '<p>x</p>' }] }],
  ])('is refused by %s in %s', async (path, field, fields) => {
    const keys = field.split('.');
    for (const lineBreak of BREAKS) {
      const input = structuredClone({ ...fields, ...(path === '/email-accounts' && sink.account) });
      const owner = keys
        .slice(0, -1)
        .reduce((value, key) => (value as Record<string, object>)[key] ?? {}, input as object);
      Object.assign(owner, { [keys.at(-1) ?? '']: `a${lineBreak}${INJECTED}` });
      const { status, body } = await api.post(path, input);
      expect([lineBreak, status, Object.keys((body.errors ?? {}) as object)]).toEqual([lineBreak, 422, [field]]);
    }
  });

  it('of a contact, or stored before it was refused, adds no header field to the message', async () => {
    const account = await given.mailbox(sink);
    const steps = [{ subject: 'Hi {{ first_name }} {{ note }}', body: '<p>{{ note }}</p>' }];
    const clean = await given.contact({ first_name: 'Ada', custom_fields: { note: 'hello' } });
    await given.running([clean.id], { steps });
    await eventually(() => expect(sink.to(clean.email)).toHaveLength(1));
    const expected = fieldNames(sink.to(clean.email)[0]?.raw ?? '');
    expect(expected).toEqual(expect.arrayContaining(['from', 'to', 'subject', 'message-id', 'content-type']));

    for (const lineBreak of BREAKS) {
      const note = `a${lineBreak}${INJECTED}`;
      const { id, email } = await given.contact({ first_name: 'x', custom_fields: { note } });
      await service.database.query('UPDATE contacts SET first_name = $2 WHERE id = $1', [id, note]);
      await service.database.query('UPDATE email_accounts SET from_name = $2 WHERE id = $1', [account.id, note]);
      const { id: campaignId } = await given.campaign({ steps });
      await service.database.query(`UPDATE campaign_steps SET subject = subject || $2 WHERE campaign_id = $1`, [
        campaignId,
        note,
      ]);
      await api.post(`/campaigns/${campaignId}/contacts`, { contact_ids: [id] });
      await api.post(`/campaigns/${campaignId}/start`);
      await eventually(() => expect(sink.to(email)).toHaveLength(1));
      expect([lineBreak, fieldNames(sink.to(email)[0]?.raw ?? '')]).toEqual([lineBreak, expected]);
    }
  });
});
