import type { AccountFacts, CampaignFacts } from '../rules/index.js';
import { type EnrollmentFacts, nextSend } from './next-send.js';

const now = new Date('2026-11-23T12:00:00Z');
const at = (text: string): Date => new Date(text);
const account: AccountFacts = {
  id: 1,
  is_active: true,
  limited_until: null,
  daily_limit: 10,
  ramp_start: null,
  ramp_per_day: 5,
  ramp_started_on: null,
  ramp_days: 0,
  counted_on: '2026-11-23',
  sent_count: 0,
  min_seconds_between: 0,
  gap_begins_at: null,
  gap_random_part: 0,
  read_at: now,
};
const full: AccountFacts = { ...account, sent_count: 10 };
const ramping: AccountFacts = { ...account, ramp_start: 2, ramp_started_on: '2026-11-23', sent_count: 2 };
const inGap: AccountFacts = { ...account, min_seconds_between: 600, gap_begins_at: at('2026-11-23T11:55:00Z') };
const active: CampaignFacts = { status: 'active', schedule: null, min_days_since_last_message: null };
const office: CampaignFacts = {
  status: 'active',
  min_days_since_last_message: null,
  schedule: { timezone: 'UTC', days: [1, 2, 3, 4, 5], start: '09:00', end: '11:00' },
};
const due: EnrollmentFacts = {
  contact: { timezone: null },
  due_at: at('2026-11-23T11:00:00Z'),
  message: null,
  accounts: [account],
};
const idle: EnrollmentFacts = { ...due, due_at: null };
const stepless: EnrollmentFacts = { ...idle, lacks_step: true };
const unknown: EnrollmentFacts = { ...idle, is_unknown: true };
const later: EnrollmentFacts = { ...due, due_at: at('2026-11-25T10:00:00Z') };
const queued = (reason: string | null, next: string | null, is_sending = false): EnrollmentFacts => ({
  ...due,
  due_at: null,
  message: { is_sending, reason, next_attempt_at: next === null ? null : at(next) },
});

describe('the next message of an enrollment', () => {
  it.each<[string, CampaignFacts, EnrollmentFacts, string | null, string | null]>([
    ['is due since its delay is over', active, due, '2026-11-23T11:00:00Z', null],
    ['waits for its delay alone', active, later, '2026-11-25T10:00:00Z', null],
    ['waits for its delay, inside the schedule', office, later, '2026-11-25T10:00:00Z', null],
    [
      'waits for the schedule after its delay',
      office,
      { ...due, due_at: at('2026-11-27T20:00:00Z') },
      '2026-11-30T09:00:00Z',
      'outside_schedule',
    ],
    [
      'waits for the gap of its account',
      active,
      { ...due, accounts: [inGap] },
      '2026-11-23T12:05:00Z',
      'min_seconds_between',
    ],
    [
      'waits for the gap when it is queued',
      active,
      { ...queued(null, '2026-11-23T11:00:00Z'), accounts: [inGap] },
      '2026-11-23T12:05:00Z',
      'min_seconds_between',
    ],
    [
      'goes by an account that is not in its gap',
      active,
      { ...due, accounts: [inGap, account] },
      '2026-11-23T11:00:00Z',
      null,
    ],
    [
      'waits for the next day of the ramp',
      active,
      { ...due, accounts: [ramping] },
      '2026-11-24T00:00:00Z',
      'daily_limit',
    ],
    ['waits for the schedule', office, due, '2026-11-24T09:00:00Z', 'outside_schedule'],
    [
      'waits for the next day of its account',
      active,
      { ...due, accounts: [full] },
      '2026-11-24T00:00:00Z',
      'daily_limit',
    ],
    [
      'does not wait for a limit of today that its delay outlasts',
      active,
      { ...later, accounts: [full] },
      '2026-11-25T10:00:00Z',
      null,
    ],
    [
      'is sent by the account of the rotation that may send',
      active,
      { ...due, accounts: [full, account] },
      '2026-11-23T11:00:00Z',
      null,
    ],
    [
      'waits for the first account of the rotation',
      active,
      { ...due, accounts: [full, { ...account, limited_until: at('2026-11-23T13:00:00Z') }] },
      '2026-11-23T13:00:00Z',
      'provider_limit',
    ],
    [
      'waits for an account that is switched on',
      active,
      { ...due, accounts: [{ ...account, is_active: false }] },
      null,
      'account_inactive',
    ],
    ['waits for an account', active, { ...due, accounts: [] }, null, 'account_inactive'],
    [
      'waits for a contact who is away',
      active,
      {
        ...due,
        contact: { timezone: null, returns_on: '2026-11-26', ends_at: at('2027-01-01T00:00:00Z') },
      },
      '2026-11-27T00:00:00Z',
      'out_of_office',
    ],
    [
      'waits for a day on which new contacts may be written to',
      active,
      {
        ...due,
        contact: {
          ...due.contact,
          new_contacts: { max_per_day: 5, reserved: { '2026-11-23': 5 } },
        },
      },
      '2026-11-24T00:00:00Z',
      'max_new_contacts',
    ],
    [
      'waits for the days after the last message to its contact',
      { ...active, min_days_since_last_message: 3 },
      {
        ...due,
        contact: { ...due.contact, sent_at: at('2026-11-21T08:00:00Z'), result_by: null },
      },
      '2026-11-24T08:00:00Z',
      'min_days_since_last_message',
    ],
    ['waits while the campaign is paused', { ...active, status: 'paused' }, due, null, 'paused'],
    ['waits for the start of a draft', { ...active, status: 'draft' }, due, null, 'draft'],
    ['waits for the start of a draft without steps', { ...active, status: 'draft' }, stepless, null, 'draft'],
    ['waits for a step of its campaign, which is paused', { ...active, status: 'paused' }, stepless, null, 'no_step'],
    ['waits for a step of its active campaign', active, stepless, null, 'no_step'],
    ['waits for the start of a campaign that has got a step', { ...active, status: 'paused' }, idle, null, 'paused'],
    ['waits for the start of a completed campaign', { ...active, status: 'completed' }, due, null, 'paused'],
    ['waits for a person if its result is unknown', office, unknown, null, 'result_unknown'],
    ['waits for the campaign first if its result is unknown', { ...office, status: 'paused' }, unknown, null, 'paused'],
    ['has nothing to send', active, idle, null, null],
    [
      'waits for its next attempt',
      active,
      queued('temporary_failure', '2026-11-23T12:05:00Z'),
      '2026-11-23T12:05:00Z',
      'temporary_failure',
    ],
    [
      'waits as its message does',
      active,
      queued('daily_limit', '2026-11-24T00:00:00Z'),
      '2026-11-24T00:00:00Z',
      'daily_limit',
    ],
    [
      'waits for the schedule after what its message waits for',
      office,
      queued('daily_limit', '2026-11-24T00:00:00Z'),
      '2026-11-24T09:00:00Z',
      'outside_schedule',
    ],
    ['waits for a change, as its message does', active, queued('account_inactive', null), null, 'account_inactive'],
    ['is queued', active, queued(null, '2026-11-23T11:59:00Z'), '2026-11-23T11:59:00Z', null],
    ['is being sent', office, queued(null, '2026-11-23T11:59:00Z', true), '2026-11-23T11:59:00Z', null],
    [
      'is looked for in the sent mail',
      active,
      queued('checking_sent_mail', '2026-11-23T12:00:10Z', true),
      null,
      'checking_sent_mail',
    ],
  ])('%s', (_what, campaign, enrollment, next, waitingFor) => {
    expect(nextSend(campaign, enrollment, now)).toEqual({ next_send_at: next && at(next), waiting_for: waitingFor });
  });
});
