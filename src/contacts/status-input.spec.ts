import { CONTACT_STATUSES } from './contact.entity.js';
import { statusColumns, statusErrors } from './status-input.js';

const NOW = new Date('2026-11-21T08:30:00Z');
const EARLIER = new Date('2024-05-01T00:00:00Z');
const LATER = new Date('2025-01-01T00:00:00Z');

const active = { status: 'active', unsubscribed_at: null } as const;
const unsubscribed = { status: 'unsubscribed', unsubscribed_at: LATER } as const;
const bounced = { status: 'bounced', unsubscribed_at: null } as const;
const complained = { status: 'complained', unsubscribed_at: LATER } as const;

describe('The status in an input', () => {
  it.each([
    [undefined, CONTACT_STATUSES],
    [active, CONTACT_STATUSES],
    [unsubscribed, ['unsubscribed', 'bounced', 'complained']],
    [bounced, ['unsubscribed', 'bounced', 'complained']],
    [complained, ['complained']],
  ] as const)('of the contact %p can be %p', (stored, accepted) => {
    const isAccepted = (status: (typeof CONTACT_STATUSES)[number]): boolean =>
      !('status' in statusErrors({ status }, stored, NOW));
    expect(CONTACT_STATUSES.filter(isAccepted)).toEqual(accepted);
  });

  it.each([
    ['a new contact', undefined, { unsubscribed_at: '2024-05-01' }],
    ['an active contact', active, { status: 'active', unsubscribed_at: '2024-05-01' }],
    ['an unsubscribed contact without a status', unsubscribed, { unsubscribed_at: '2024-05-01' }],
    ['an unsubscribed contact that it would clear', unsubscribed, { unsubscribed_at: null }],
    ['a new contact in the future', undefined, { status: 'unsubscribed', unsubscribed_at: '2026-11-21T08:30:01Z' }],
  ] as const)('refuses the date of %s', (_, stored, input) => {
    expect(Object.keys(statusErrors(input, stored, NOW))).toEqual(['unsubscribed_at']);
  });

  it.each([active, unsubscribed, bounced, complained])('accepts what is stored: %p', (stored) => {
    const input = { status: stored.status, unsubscribed_at: stored.unsubscribed_at?.toISOString() ?? null };
    expect(statusErrors(input, stored, NOW)).toEqual({});
    expect(statusColumns(input, stored, NOW)).toEqual(stored);
  });

  it.each([
    ['now without a date', undefined, { status: 'unsubscribed' }, NOW],
    ['the sent date', undefined, { status: 'unsubscribed', unsubscribed_at: '2024-05-01' }, EARLIER],
    ['an earlier sent date', unsubscribed, { status: 'unsubscribed', unsubscribed_at: '2024-05-01' }, EARLIER],
    ['an earlier stored date', unsubscribed, { status: 'unsubscribed', unsubscribed_at: '2026-05-01' }, LATER],
    ['the stored date if the address bounces', unsubscribed, { status: 'bounced' }, LATER],
    ['none if an address bounces', active, { status: 'bounced' }, null],
    ['now for a complaint', active, { status: 'complained' }, NOW],
  ] as const)('gives the contact the date: %s', (_, stored, input, date) => {
    expect(statusErrors(input, stored, NOW)).toEqual({});
    expect(statusColumns(input, stored, NOW)).toEqual({ status: input.status, unsubscribed_at: date });
  });
});
