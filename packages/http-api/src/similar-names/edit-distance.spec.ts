import fc from 'fast-check';
import { editDistance, nearest } from './edit-distance.js';

describe('editDistance', () => {
  it.each([
    ['', '', 0],
    ['', 'abc', 3],
    ['kitten', 'sitting', 3],
    ['variable', 'variables', 1],
    ['delay_days', 'delay_minutes', 6],
    ['emial', 'email', 1],
    ['ab', 'ba', 1],
  ])('of %j and %j is the number of changed characters', (one, other, distance) => {
    expect(editDistance(one, other)).toBe(distance);
    expect(editDistance(other, one)).toBe(distance);
  });

  it('is 0 for equal texts only, and changes by 1 at most with each character', () => {
    const text = fc.string({ maxLength: 12 });
    fc.assert(
      fc.property(text, text, fc.string({ minLength: 1, maxLength: 1 }), (one, other, character) => {
        const distance = editDistance(one, other);
        expect(distance === 0).toBe(one === other);
        expect(distance).toBeLessThanOrEqual(Math.max(one.length, other.length));
        expect(Math.abs(editDistance(one + character, other) - distance)).toBeLessThanOrEqual(1);
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

  const fields = ['email', 'tags', 'steps', 'timezone', 'first_name', 'company_id', 'url'];
  it.each(['bogus', 'zzzzzzzzzzz', 'qqqqqqq', 'foo_id', 's', 'x', ''])('returns nothing for %j', (text) => {
    expect(nearest(text, fields)).toBeUndefined();
  });

  it.each([
    ['emial', 'email'],
    ['EMAIL', 'email'],
    ['tgas', 'tags'],
    ['URL', 'url'],
    ['First_Name', 'first_name'],
    ['companyid', 'company_id'],
  ])('returns for %s the similar field %s', (text, expected) => {
    expect(nearest(text, fields)).toBe(expected);
  });
});
