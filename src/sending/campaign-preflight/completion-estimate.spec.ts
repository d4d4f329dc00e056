import { earliestInstant, type Schedule } from '@outreach/time-windows';
import { type AccountFacts, accountRules, afterSending, campaignDay, contactRules } from '../rules/index.js';
import { SimulatedNewContacts } from '../rules/new-contacts/simulated-new-contacts.js';
import { type EstimatedCampaign, estimateCompletion } from './completion-estimate.js';
import type { DueGroup } from './due-groups.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const start = new Date('2026-11-23T10:00:00Z');
const office: Schedule = { timezone: 'Europe/Paris', days: [1, 2, 3, 4, 5], start: '09:00', end: '17:00' };
const account = (id: number, fields: Partial<AccountFacts> = {}): AccountFacts => ({
  ...{ id, is_active: true, limited_until: null, daily_limit: 50, sent_count: 0, counted_on: null, read_at: start },
  ...{ ramp_start: null, ramp_per_day: 5, ramp_started_on: null, ramp_days: 0 },
  ...{ min_seconds_between: 0, gap_begins_at: null, gap_random_part: 0 },
  ...fields,
});
const twenty = (fields: Partial<AccountFacts> = {}) => Array.from({ length: 20 }, (_, id) => account(id, fields));
interface TestCampaign extends Omit<EstimatedCampaign, 'limits'> {
  readonly max_new_contacts_per_day: number | null;
  readonly reserved: Readonly<Record<string, number>>;
}
const campaign = (fields: Partial<TestCampaign> = {}): TestCampaign => ({
  ...{ status: 'active', schedule: office, delays: [0, 3 * 1440, 4 * 1440] },
  ...{ max_new_contacts_per_day: null, min_days_since_last_message: null, reserved: {} },
  ...fields,
});
const allDue = (count: number) => [{ step: 0, due_at: start, since: start, timezone: null, count }];

function workOf(of: TestCampaign, accounts: readonly AccountFacts[], groups: readonly DueGroup[]) {
  const { schedule, max_new_contacts_per_day: max, reserved } = of;
  const limits = max === null ? [] : [new SimulatedNewContacts({ schedule, max_per_day: max, reserved })];
  return estimateCompletion({ ...of, limits }, accounts, groups);
}

/** Runs an estimate without interruptions. */
function estimate(...of: Parameters<typeof workOf>): Date | null {
  const work = workOf(...of);
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}

/** Messages of a step that wait for the same account, or for any, in the order in which they are sent. */
interface Line {
  readonly at: number;
  /** When they were due first. */
  readonly since: number;
  readonly step: number;
  readonly sender: number | null;
  readonly contacts: number[];
}

/**
 * Sends every message on its own: the one that is due first, each contact from one account, and new contacts from the
 * accounts that can send, in turns. Each message is sent at the first instant that all of its rules allow.
 */
function simulate(of: TestCampaign, accounts: AccountFacts[], contacts: number): Date {
  const { schedule, delays, max_new_contacts_per_day: max, min_days_since_last_message: minDays } = of;
  const firstMessages: Record<string, number> = {};
  const rulesOf = (step: number) =>
    contactRules(
      { status: 'active', schedule, min_days_since_last_message: null },
      {
        timezone: null,
        new_contacts: step > 0 || max === null ? null : { max_per_day: max, reserved: firstMessages },
      },
    );
  const nextOf = (index: number, at: Date, step: number): Date => {
    const sending = accounts[index];
    const next = sending && earliestInstant(at, [...rulesOf(step), ...accountRules(sending)]).at;
    if (!next) throw new Error('Each message can be sent.');
    return next;
  };
  const lines = new Map<string, Line>();
  const add = ({ at, since, step, sender }: Omit<Line, 'contacts'>, waiting: readonly number[]): void => {
    const key = `${at} ${since} ${step} ${sender ?? ''}`;
    const line = lines.get(key) ?? { at, since, step, sender, contacts: [] };
    line.contacts.push(...waiting);
    lines.set(key, line);
  };
  const takeFirst = (): Line | undefined => {
    let first: [string, Line] | undefined;
    for (const entry of lines) {
      const [, { at, since }] = entry;
      if (!first || at < first[1].at || (at === first[1].at && since < first[1].since)) first = entry;
    }
    if (first) lines.delete(first[0]);
    return first?.[1];
  };
  const first = { at: start.getTime(), since: start.getTime(), step: 0, sender: null };
  add(
    first,
    Array.from({ length: contacts }, (_, contact) => contact),
  );
  let last = start;
  for (let line = takeFirst(); line; line = takeFirst()) {
    const { step } = line;
    const at = new Date(line.at);
    for (let contact = line.contacts.shift(); contact !== undefined; contact = line.contacts.shift()) {
      const times = (line.sender === null ? [...accounts.keys()] : [line.sender]).map(
        (index) => [index, nextOf(index, at, step)] as const,
      );
      const free = times.filter(([, next]) => next <= at);
      const [index] = free[contact % Math.max(free.length, 1)] ?? [];
      const sending = accounts[index ?? -1];
      if (index === undefined || !sending) {
        const next = Math.min(...times.map(([, time]) => time.getTime()));
        add({ ...line, at: next }, [contact, ...line.contacts.splice(0)]);
        break;
      }
      // The random part of a gap is 0 to 0.5.
      const gap = { gap_random_part: ((contact * 37) % 100) / 200 };
      accounts[index] = { ...afterSending(sending, { from: at, at, count: 1 }), ...gap };
      last = at;
      const day = campaignDay(schedule, at);
      if (step === 0) firstMessages[day] = (firstMessages[day] ?? 0) + 1;
      const delay = delays[line.step + 1];
      const due = at.getTime() + Math.max((delay ?? 0) * MINUTE_MS, (minDays ?? 0) * DAY_MS);
      if (delay !== undefined) add({ at: due, since: due, step: line.step + 1, sender: index }, [contact]);
    }
  }
  return last;
}

describe('the estimated end of a campaign', () => {
  it('is that of one message after another', () => {
    const delays = [0, 60, 90];
    expect(estimate(campaign({ schedule: null, delays }), [account(1)], allDue(1))).toEqual(
      new Date(start.getTime() + 150 * MINUTE_MS),
    );
  });

  it('waits for the schedule, the next days of the accounts, and their gaps', () => {
    const single = campaign({ schedule: null, delays: [0] });
    const end = (fields: Partial<AccountFacts>, count: number, of = single) =>
      estimate(of, [account(1, fields)], allDue(count));
    expect(end({}, 120)).toEqual(new Date('2026-11-25T00:00:00Z'));
    expect(end({}, 120, campaign({ delays: [0] }))).toEqual(new Date('2026-11-25T08:00:00Z'));
    // Every 500 seconds.
    expect(end({ min_seconds_between: 400, daily_limit: 1000 }, 8)).toEqual(new Date(start.getTime() + 7 * 500_000));
    // 10, 15, 20 and 25.
    const ramp = { ramp_start: 10, ramp_started_on: '2026-11-23', daily_limit: 1000 };
    expect(end(ramp, 46)).toEqual(new Date('2026-11-26T00:00:00Z'));
  });

  it('counts the contacts that got their first message earlier that day', () => {
    const limited = campaign({ delays: [0], schedule: null, max_new_contacts_per_day: 10 });
    const reserved = { '2026-11-23': 4 };
    expect(estimate({ ...limited, reserved }, twenty(), allDue(6))).toEqual(start);
    expect(estimate({ ...limited, reserved }, twenty(), allDue(17))).toEqual(new Date('2026-11-25T00:00:00Z'));
  });

  it('is not known without anything due, without an account, or if it is too far away', () => {
    expect(estimate(campaign(), twenty(), [])).toBeNull();
    expect(estimate(campaign(), twenty({ is_active: false }), allDue(5))).toBeNull();
    expect(estimate(campaign(), [account(1, { daily_limit: 1 })], allDue(100_000))).toBeNull();
  });

  it.each<[string, Partial<TestCampaign>, Partial<AccountFacts>, number]>([
    ['daily limits', {}, { daily_limit: 20 }, 1_600],
    ['a window over midnight', { schedule: { ...office, start: '22:00', end: '04:00' } }, { daily_limit: 25 }, 2_500],
    ['no schedule', { schedule: null }, { daily_limit: 20 }, 1_600],
    ['a ramp', {}, { ramp_start: 5, ramp_started_on: '2026-11-23', ramp_per_day: 2 }, 1_200],
    ['gaps', {}, { min_seconds_between: 3_600 }, 500],
    ['new contacts a day', { max_new_contacts_per_day: 70 }, {}, 700],
    ['days between messages', { min_days_since_last_message: 6 }, {}, 700],
  ])('is that of a simulated month of 20 accounts, within a day, with %s', (_what, of, fields, contacts) => {
    const simulated = simulate(campaign(of), twenty(fields), contacts);
    const estimated = estimate(campaign(of), twenty(fields), allDue(contacts));
    expect(simulated.getTime() - start.getTime()).toBeGreaterThan(10 * DAY_MS);
    expect(Math.abs((estimated?.getTime() ?? 0) - simulated.getTime())).toBeLessThanOrEqual(DAY_MS);
  });

  it('can be interrupted after each day of a limit, and ends after 5,000 iterations', () => {
    const limited = (contacts: number) =>
      workOf(campaign({ schedule: null, delays: [0] }), [account(1, { daily_limit: 1 })], allDue(contacts));
    // Each day of the limit takes two: one to wait for it, and one to send.
    expect([...limited(300)]).toHaveLength(599);
    expect([...limited(100_000)]).toHaveLength(4_999);
  });

  it('takes as long for a million contacts as for some thousand', () => {
    const many = Array.from({ length: 1_000 }, (_, id) => account(id, { daily_limit: 20 + (id % 7) }));
    expect(estimate(campaign(), many, allDue(1_000_000))).toBeInstanceOf(Date);
  });
});
