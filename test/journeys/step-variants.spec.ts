import type { ApiClient } from '../support/api-client.js';
import type { Schema } from '../support/api-schemas.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { useService } from '../support/service.js';

const variant = (name: string, weight: number, fields: object = {}) => ({
  name,
  weight,
  subject: `Subject ${name}`,
  body: `<p>Body ${name}</p>`,
  ...fields,
});
const stepWith = (variants: readonly object[], fields: object = {}) => ({
  subject: 'Own subject',
  body: '<p>Own body</p>',
  variants,
  ...fields,
});

/** A schedule that opens in twelve hours. */
const closed = () => {
  const hour = String((new Date().getUTCHours() + 12) % 24).padStart(2, '0');
  return { timezone: 'UTC', days: [1, 2, 3, 4, 5, 6, 7], start: `${hour}:00`, end: `${hour}:30` };
};

describe('variants of a step', () => {
  const service = useService({ ROLE: 'all' });
  let sink: MailSink;
  let api: ApiClient;
  let given: Given;

  beforeEach(async () => {
    sink = await MailSink.start();
    api = await service.client();
    given = new Given(api, service.database);
  });
  afterEach(() => sink.stop());

  const stepOf = async (campaign: { id: number }): Promise<Schema<'Step'>> =>
    (await api.get(`/campaigns/${campaign.id}/steps`)).data[0];
  const put = async (campaign: { id: number }, fields: object) =>
    api.put(`/campaigns/${campaign.id}/steps/${(await stepOf(campaign)).id}`, fields);
  const messagesOf = async (campaign: { id: number }): Promise<Schema<'Message'>[]> =>
    (await api.get(`/campaigns/${campaign.id}/messages?per_page=100`)).data;
  const queued = (campaign: { id: number }, count: number) =>
    eventually(async () => {
      const { data } = await api.get(`/campaigns/${campaign.id}/stats`);
      expect(data.messages.queued).toBe(count);
    });
  const completed = (campaign: { id: number }) =>
    eventually(async () => expect((await api.get(`/campaigns/${campaign.id}`)).data.status).toBe('completed'));
  /** The variants that messages have drawn, by contact. */
  const drawnIn = async (campaign: { id: number }): Promise<Map<number, number>> => {
    const rows = await service.database.query<{ contact_id: string; variant_id: string }>(
      `SELECT contact_id, variant_id FROM all_messages WHERE campaign_id = $1 ORDER BY contact_id`,
      [campaign.id],
    );
    return new Map(rows.map((row) => [Number(row.contact_id), Number(row.variant_id)]));
  };

  it('are drawn by weight, each with its text, and have their own counts', async () => {
    await given.mailbox(sink);
    const contacts = await given.contacts(60);
    const campaign = await given.running(contacts, {
      steps: [
        stepWith([
          variant('A', 20),
          variant('B', 10, { subject: null }),
          variant('C', 10, { body: '' }),
          variant('D', 0),
        ]),
      ],
    });
    await completed(campaign);
    const { variants } = await stepOf(campaign);
    expect(variants).toMatchObject([
      { id: expect.any(Number), name: 'A', weight: 20 },
      { name: 'B', subject: null, body: '<p>Body B</p>' },
      { name: 'C', subject: 'Subject C', body: null },
      { name: 'D', weight: 0 },
    ]);
    const texts = sink.mails.map(({ raw }) => {
      const subject = /^Subject: (.*?)\r?$/m.exec(raw)?.[1];
      return `${subject} / ${/<p>(.*?)<\/p>/.exec(raw)?.[1]}`;
    });
    const expected = ['Subject A / Body A', 'Own subject / Body B', 'Subject C / Own body'];
    expect([...new Set(texts)].sort()).toEqual([...expected].sort());
    const { data: stats } = await api.get(`/campaigns/${campaign.id}/stats`);
    const counted: Schema<'VariantCounts'>[] = stats.steps[0].variants;
    expect(counted.map(({ variant_id, name }) => [variant_id, name])).toEqual(
      variants.map(({ id, name }) => [id, name]),
    );
    expect(counted.map(({ sent }) => sent)).toEqual([
      ...expected.map((text) => texts.filter((each) => each === text).length),
      0,
    ]);
    expect(counted[0]).toMatchObject({ queued: 0, opened: 0, open_rate: 0, failed: 0, unknown: 0 });
    for (const message of await messagesOf(campaign)) {
      const drawn = variants.find(({ id }) => id === message.variant_id);
      expect(message.subject).toBe(drawn?.subject ?? 'Own subject');
    }
  });

  it('get shares of 2,000 contacts that are those of their weights', async () => {
    for (const name of ['one', 'two']) await given.mailbox(sink, { from_email: `${name}@sender.example` });
    const accounts = (await api.get('/email-accounts')).data.map(({ id }: { id: number }) => id);
    const contacts = await given.contacts(2_000);
    const campaign = await given.running(contacts, {
      steps: [stepWith([variant('A', 50), variant('B', 30), variant('C', 20)])],
      email_account_ids: accounts,
      schedule: closed(),
    });
    await queued(campaign, 2_000);
    const [a = 0, b = 0, c = 0] = (await stepOf(campaign)).variants.map(({ id }) => id);
    const drawn = [...(await drawnIn(campaign)).values()];
    const countOf = (id: number): number => drawn.filter((each) => each === id).length;
    expect(countOf(a) + countOf(b) + countOf(c)).toBe(2_000);
    // Six standard deviations, so that a fair draw fails once in 500 million runs.
    for (const [id, share] of [
      [a, 0.5],
      [b, 0.3],
      [c, 0.2],
    ] as const) {
      expect(Math.abs(countOf(id) - 2_000 * share)).toBeLessThan(6 * Math.sqrt(2_000 * share * (1 - share)));
    }
  });

  it('stay when weights and texts change, when an account is deleted, and through a move', async () => {
    const first = await given.mailbox(sink);
    const contacts = await given.contacts(60);
    const campaign = await given.running(contacts, {
      steps: [stepWith([variant('A', 50), variant('B', 50)]), stepWith([])],
      schedule: closed(),
    });
    await queued(campaign, 60);
    const before = await drawnIn(campaign);
    const { variants } = await stepOf(campaign);
    expect(new Set(before.values()).size).toBe(2);
    const [a, b] = variants;
    await put(campaign, {
      variants: [
        { ...b, weight: 1, subject: 'New B' },
        { ...a, name: 'Renamed', weight: 99 },
      ],
    });
    expect((await stepOf(campaign)).variants).toMatchObject([
      { id: b?.id, name: 'B', subject: 'New B' },
      { id: a?.id, name: 'Renamed', subject: 'Subject A' },
    ]);
    expect(await drawnIn(campaign)).toEqual(before);
    await given.mailbox(sink, { from_email: 'second@sender.example' });
    await api.delete(`/email-accounts/${first.id}`);
    await eventually(async () => expect(await drawnIn(campaign)).toEqual(before));
    const [steps, contact] = [(await api.get(`/campaigns/${campaign.id}/steps`)).data, Number(contacts[0])];
    for (const step of [steps[1], steps[0]]) {
      const path = `/campaigns/${campaign.id}/contacts/${contact}/move`;
      expect((await api.post(path, { step_id: step.id })).status).toBe(200);
    }
    const ofContact = async () =>
      (await messagesOf(campaign)).filter((each) => each.contact_id === contact && each.status === 'queued');
    await eventually(async () =>
      expect(await ofContact()).toMatchObject([{ step_id: steps[0].id, variant_id: before.get(contact) }]),
    );
  });

  it('that are removed are not sent any more; without any, the text of the step is sent', async () => {
    await given.mailbox(sink);
    const campaign = await given.running(await given.contacts(30), {
      steps: [stepWith([variant('A', 50), variant('B', 50)])],
      schedule: closed(),
    });
    await queued(campaign, 30);
    const before = await drawnIn(campaign);
    const { variants } = await stepOf(campaign);
    const [a, b] = variants;
    await put(campaign, { variants: [a, variant('New', 100)] });
    const [, added] = (await stepOf(campaign)).variants;
    expect([added?.name, added?.id === b?.id]).toEqual(['New', false]);
    const drawn = await drawnIn(campaign);
    for (const [contact, id] of before) {
      if (id === a?.id) expect(drawn.get(contact)).toBe(id);
      else expect([a?.id, added?.id]).toContain(drawn.get(contact));
    }
    await put(campaign, { variants: [] });
    expect((await messagesOf(campaign)).map((each) => each.variant_id)).toEqual(Array(30).fill(null));
    await put(campaign, { variants: [variant('Last', 1)] });
    await api.put(`/campaigns/${campaign.id}`, { schedule: null });
    await completed(campaign);
    expect(new Set((await messagesOf(campaign)).map(({ subject }) => subject))).toEqual(new Set(['Subject Last']));
  });

  it('stay through a retry of a message', async () => {
    await given.mailbox(sink);
    const [contact] = await given.contacts(1);
    sink.misbehave({ at: 'rcpt', times: 1, refuse: [451, '4.3.0 Try again later'] });
    const campaign = await given.running([Number(contact)], { steps: [stepWith([variant('A', 1), variant('B', 1)])] });
    await eventually(async () =>
      expect(await messagesOf(campaign)).toMatchObject([{ reason: 'temporary_failure', attempts: 1 }]),
    );
    const [before] = await messagesOf(campaign);
    service.clocks.advance(api.workspaceId, { minutes: 6 });
    await completed(campaign);
    expect(await messagesOf(campaign)).toMatchObject([{ variant_id: before?.variant_id, attempts: 2, status: 'sent' }]);
  });

  it('are checked like the text of a step', async () => {
    const names = async (variants: unknown): Promise<string[]> => {
      const { body, status } = await api.post('/campaigns', { name: 'x', steps: [{ ...stepWith([]), variants }] });
      expect(status).toBe(422);
      return Object.keys(body.errors).sort();
    };
    const path = (rest: string) => `steps.0.variants${rest}`;
    expect(await names(Array.from({ length: 6 }, (_, index) => variant(`${index}`, 1)))).toEqual([path('')]);
    expect(await names([variant('A', 0), variant('B', 0)])).toEqual([path('')]);
    expect(await names('A')).toEqual([path('')]);
    expect(await names([{}, 5, [], null])).toEqual(
      [path('.0.name'), path('.0.weight'), path('.1'), path('.2'), path('.3')].sort(),
    );
    expect(
      await names([
        variant('A', 101, { subject: 'two\nlines', body: '{{ a' }),
        variant('B', -1, { body: '{% if a %}', subjects: 'x' }),
        variant('', 1.5, { subject: 'x'.repeat(501), body: 'x'.repeat(262_145) }),
        variant('D', 1, { body: 5, subject: '{{ b | upcase }}' }),
      ]),
    ).toEqual(
      [
        ...[path('.0.weight'), path('.0.subject'), path('.0.body')],
        ...[path('.1.weight'), path('.1.body'), path('.1.subjects')],
        ...[path('.2.name'), path('.2.weight'), path('.2.subject'), path('.2.body')],
        ...[path('.3.body'), path('.3.subject')],
      ].sort(),
    );
  });

  it('of a response can be written back, also to another step, which gets its own', async () => {
    const campaign = await given.campaign({ steps: [stepWith([variant('A', 1), variant('B', 2)])] });
    const step = await stepOf(campaign);
    expect((await put(campaign, step)).data.variants).toEqual(step.variants);
    const copy = await api.post(`/campaigns/${campaign.id}/steps`, step);
    expect(copy.status).toBe(201);
    expect(copy.data.variants.map(({ name }: { name: string }) => name)).toEqual(['A', 'B']);
    const ids = new Set([...step.variants, ...copy.data.variants].map(({ id }: { id: number }) => id));
    expect(ids.size).toBe(4);
    expect((await put(campaign, { variants: null })).data.variants).toEqual([]);
  });
});
