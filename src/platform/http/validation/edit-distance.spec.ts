import fc from 'fast-check';
import { editDistance, nearest } from './edit-distance.js';

describe('editDistance', () => {
  it.each([
    ['', '', 0],
    ['', 'abc', 3],
    ['kitten', 'sitting', 3],
    ['variable', 'variables', 1],
    ['delay_days', 'delay_minutes', 6],
  ])('of %j and %j is the number of changed characters', (one, other, distance) => {
    expect(editDistance(one, other)).toBe(distance);
    expect(editDistance(other, one)).toBe(distance);
  });

  it('is 0 for equal texts only, and at most the sum of the distances to a third text', () => {
    const text = fc.string({ maxLength: 12 });
    fc.assert(
      fc.property(text, text, text, (one, other, third) => {
        expect(editDistance(one, other) === 0).toBe(one === other);
        expect(editDistance(one, other)).toBeLessThanOrEqual(editDistance(one, third) + editDistance(third, other));
      }),
    );
  });
});

describe('nearest', () => {
  it.each([
    ['smtp_user', 'smtp_username'],
    ['smtp_pass', 'smtp_password'],
    ['password', 'smtp_password'],
    ['host', 'smtp_host'],
    ['smtp_hots', 'smtp_host'],
    ['limit', 'daily_limit'],
    ['nam', 'name'],
    ['fromname', 'from_name'],
  ])('returns for %s the field %s of an email account', (text, expected) => {
    const smtp = ['smtp_host', 'smtp_port', 'smtp_username', 'smtp_password', 'smtp_encryption'];
    expect(nearest(text, ['name', 'type', 'from_email', 'from_name', 'daily_limit', ...smtp])).toBe(expected);
  });

  it('returns the candidate that is most similar', () => {
    expect(nearest('delay_days', ['position', 'subject', 'body', 'delay_minutes', 'same_thread'])).toBe(
      'delay_minutes',
    );
    expect(nearest('x', [])).toBeUndefined();
  });

  it.each(['bogus', 'zzzzzzzzzzz', 'qqqqqqq', 'x', ''])('returns nothing for %j, which is similar to none', (text) => {
    expect(nearest(text, ['email', 'tags', 'steps', 'timezone', 'first_name'])).toBeUndefined();
  });
});
