import { DateTime } from 'luxon';
import type { ApiClient } from '../support/api-client.js';
import type { Schema } from '../support/api-schemas.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { useService } from '../support/service.js';

const DAY_MS = 86_400_000;
const DAY_MINUTES = 1_440;
const ZONE = 'Europe/Paris';

const MAILBOXES = 6;
const LIMITS = { daily_limit: 7, ramp_start: 1, ramp_per_day: 2, min_seconds_between: 300 };
const NEW_CONTACTS = 6;
const CONTACTS = 90;
const STEPS = [
  {
    ...{ subject: 'First', body: '<p>First</p>' },
    variants: [
      { name: 'A', weight: 70, subject: 'First A' },
      { name: 'B', weight: 30, subject: 'First B' },
    ],
  },
  { subject: 'Second', body: '<p>Second</p>', delay_minutes: 3 * DAY_MINUTES },
  { subject: 'Third', body: '<p>Third</p>', delay_minutes: 4 * DAY_MINUTES, only_if: 'not_opened' },
];
/** Of ten contacts one replies to its first message, and one opens each. */
const tagOf = (index: number): string => ['+replied', '+opened'][index % 10] ?? '';

/** A Monday in March, so that the month has a change to summer time. */
const monday = (after: string): DateTime<true> => {
  const now = DateTime.fromISO(after, { zone: ZONE });
  const march = now.set({ month: 3, day: 8 }).startOf('day');
  const next = (march > now ? march : march.plus({ years: 1 })).plus({ days: 6 }).startOf('week').plus({ hours: 8 });
  if (!next.isValid) throw new Error('A day of March is valid.');
  return next;
};

const groupBy = <T>(items: readonly T[], keyOf: (item: T) => string | number): T[][] => {
  const groups = new Map<string | number, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return [...groups.values()];
};

describe('a month of a campaign from several mailboxes, by the clock of a sandbox', () => {
  const service = useService();
  let sink: MailSink;
  let api: ApiClient;
  let campaign: Schema<'Campaign'>;
  let accounts: number[];
  let estimate: number;
  let holiday: string;
  /** The messages that were sent, by their times. */
  let sent: (Schema<'Message'> & { readonly at: number; readonly local: DateTime })[];

  const settled = async (to: DateTime<true>): Promise<void> => {
    let { data } = await api.post('/sandbox/clock', { to: to.toUTC().toISO() });
    await eventually(async () => {
      if (!data.is_settled) ({ data } = await api.get('/sandbox/clock'));
      expect(data.is_settled).toBe(true);
    });
  };
  const messages = async (): Promise<Schema<'Message'>[]> => {
    const first = await api.get(`/campaigns/${campaign.id}/messages?per_page=100`);
    const all: Schema<'Message'>[] = first.data;
    for (let page = 2; page <= first.body.meta.last_page; page++)
      all.push(...(await api.get(`/campaigns/${campaign.id}/messages?per_page=100&page=${page}`)).data);
    return all;
  };

  beforeAll(async () => {
    await service.startWorker();
    sink = await MailSink.start();
    api = await service.sandbox();
    const given = new Given(api, service.database);
    const start = monday((await api.get('/sandbox/clock')).data.now);
    await settled(start);
    holiday = start.plus({ days: 9 }).toISODate();
    accounts = [];
    for (let n = 0; n < MAILBOXES; n++)
      accounts.push((await given.mailbox(sink, { from_email: `sales${n}@sender.example`, ...LIMITS })).id);
    const contacts: number[] = [];
    for (let n = 0; n < CONTACTS; n++)
      contacts.push((await given.contact({ email: `p${n}${tagOf(n)}@recipient.example` })).id);
    const schedule = { timezone: ZONE, days: [1, 2, 3, 4, 5], start: '09:00', end: '17:00', holidays: [holiday] };
    campaign = await given.campaign({
      ...{ email_account_ids: accounts, schedule, steps: STEPS, max_new_contacts_per_day: NEW_CONTACTS },
    });
    await api.post(`/campaigns/${campaign.id}/contacts`, { contact_ids: contacts });
    const { data: preflight } = await api.get(`/campaigns/${campaign.id}/preflight`);
    expect(preflight.can_start).toBe(true);
    estimate = Date.parse(preflight.estimated_completion_at);
    expect((await api.post(`/campaigns/${campaign.id}/start`)).status).toBe(200);
    await settled(start.plus({ days: 40 }));
    sent = (await messages())
      .flatMap((message) => (message.sent_at === null ? [] : [{ ...message, at: Date.parse(message.sent_at) }]))
      .map((message) => ({ ...message, local: DateTime.fromMillis(message.at, { zone: ZONE }) }))
      .sort((one, other) => one.at - other.at);
  });
  afterAll(() => sink.stop());

  it('ends within a day of the estimate that was made before its start', async () => {
    const { data } = await api.get(`/campaigns/${campaign.id}`);
    expect(data.status).toBe('completed');
    expect(Math.abs(Date.parse(data.completed_at) - estimate)).toBeLessThan(DAY_MS);
    expect((estimate - (sent[0]?.at ?? 0)) / DAY_MS).toBeGreaterThan(25);
  });

  it('sends within its schedule alone, before and after the change to summer time', () => {
    for (const { local } of sent) {
      expect([local.weekday <= 5, local.hour >= 9, local.hour < 17]).toEqual([true, true, true]);
      expect(local.toISODate()).not.toBe(holiday);
    }
    expect(new Set(sent.map(({ local }) => local.offset)).size).toBe(2);
  });

  it('sends from each mailbox what its ramp allows on each day, with its gap between two messages', () => {
    for (const own of groupBy(sent, (message) => message.email_account_id ?? 0)) {
      const days = groupBy(own, ({ sent_at: at }) => String(at).slice(0, 10)).map(({ length }) => length);
      days.forEach((count, n) => {
        expect(count).toBeLessThanOrEqual(Math.min(LIMITS.daily_limit, LIMITS.ramp_start + n * LIMITS.ramp_per_day));
      });
      const gaps = own.slice(1).map(({ at }, index) => (at - (own[index]?.at ?? 0)) / 1_000);
      expect(Math.min(...gaps)).toBeGreaterThanOrEqual(LIMITS.min_seconds_between);
    }
    expect(new Set(sent.map((message) => message.email_account_id))).toEqual(new Set(accounts));
  });

  it('writes to as many new contacts as it may on each day, until all have got their first message', () => {
    const firsts = groupBy(sent, (message) => message.contact_id).flatMap(([first]) => first ?? []);
    expect(firsts).toHaveLength(CONTACTS);
    const days = groupBy(firsts, ({ local }) => local.toISODate() ?? '').map(({ length }) => length);
    // On the first days the ramps of the mailboxes allow fewer.
    expect(Math.max(...days)).toBe(NEW_CONTACTS);
    expect(days.filter((count) => count === NEW_CONTACTS).length).toBeGreaterThan(10);
  });

  it('sends each contact its steps in order and at their times, from one mailbox', () => {
    for (const own of groupBy(sent, (message) => message.contact_id)) {
      const [tag] = /\+\w+/.exec(own[0]?.email ?? '') ?? [''];
      const subjects = own.map(({ subject }) => subject?.replace(/ [AB]$/, ''));
      expect([tag, subjects]).toEqual([
        tag,
        { '+replied': ['First'], '+opened': ['First', 'Second'] }[tag] ?? ['First', 'Second', 'Third'],
      ]);
      expect(new Set(own.map((message) => message.email_account_id)).size).toBe(1);
      own.slice(1).forEach(({ at }, index) => {
        const minutes = (at - (own[index]?.at ?? 0)) / 60_000;
        expect(minutes).toBeGreaterThanOrEqual(STEPS[index + 1]?.delay_minutes ?? 0);
      });
    }
  });

  it('draws the variants by their weights, and counts each', async () => {
    const { data } = await api.get(`/campaigns/${campaign.id}/stats`);
    const [a, b] = data.steps[0].variants as Schema<'VariantCounts'>[];
    expect((a?.sent ?? 0) + (b?.sent ?? 0)).toBe(CONTACTS);
    // 63 of 90 are expected; five standard deviations are 22.
    expect(Math.abs((a?.sent ?? 0) - 0.7 * CONTACTS)).toBeLessThan(22);
    for (const { variant_id: id, name } of [a, b].flatMap((variant) => variant ?? [])) {
      const own = sent.filter((message) => message.variant_id === id);
      expect(new Set(own.map(({ subject }) => subject))).toEqual(new Set([`First ${name}`]));
    }
  });
});
