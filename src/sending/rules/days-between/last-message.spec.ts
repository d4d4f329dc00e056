import fc from 'fast-check';
import { lastMessageRule } from './last-message.js';

const DAY_MS = 86_400_000;
const at = (text: string): Date => new Date(text);
const now = at('2026-11-23T12:00:00Z');

describe('the days since the last message to a contact', () => {
  it('have passed if nothing was sent', () => {
    expect(lastMessageRule(7, { sent_at: null, result_by: null }, null).next(now)).toEqual(now);
  });

  it('are counted from the instant at which it was sent', () => {
    const rule = lastMessageRule(2, { sent_at: at('2026-11-22T13:00:00Z'), result_by: null }, null);
    expect(rule.next(now)).toEqual(at('2026-11-24T13:00:00Z'));
    expect(rule.next(at('2026-11-24T13:00:00Z'))).toEqual(at('2026-11-24T13:00:00Z'));
  });

  it('are not known before the result of a message that is being sent', () => {
    const rule = lastMessageRule(2, { sent_at: null, result_by: at('2026-11-23T12:01:00Z') }, null);
    expect(rule.next(now)).toEqual(at('2026-11-23T12:01:00Z'));
  });

  it('are followed by the first time of the schedule', () => {
    const office = { timezone: 'UTC', days: [1, 2, 3, 4, 5], start: '09:00', end: '17:00' };
    const rule = lastMessageRule(1, { sent_at: at('2026-11-22T20:00:00Z'), result_by: null }, office);
    expect(rule.next(now)).toEqual(at('2026-11-24T09:00:00Z'));
  });

  it('allow the first instant that is so many days after it, for random messages', () => {
    const instant = fc.date({ min: at('2026-01-01T00:00:00Z'), max: at('2027-01-01T00:00:00Z'), noInvalidDate: true });
    fc.assert(
      fc.property(instant, instant, fc.integer({ min: 1, max: 365 }), (sentAt, from, days) => {
        const next = lastMessageRule(days, { sent_at: sentAt, result_by: null }, null).next(from) ?? at('1970-01-01');
        const distance = (next.getTime() - sentAt.getTime()) / DAY_MS;
        expect(next.getTime()).toBeGreaterThanOrEqual(from.getTime());
        expect(distance).toBeGreaterThanOrEqual(days);
        if (next > from) expect(distance).toBe(days);
      }),
    );
  });
});
