import { resultOf } from './attempt-result.js';

const NOW = new Date('2026-11-21T12:00:00.000Z');

const answered = (status: number, { body = '', complete = true, retryAfter = '' } = {}) =>
  resultOf({ kind: 'response', status, body, complete, headers: retryAfter ? { retry_after: retryAfter } : {} }, NOW);

describe('an attempt', () => {
  it.each([200, 204, 299])('succeeds by a whole answer of status %i', (status) => {
    expect(answered(status, { body: 'thanks' })).toEqual({ status_code: status, success: true, response: 'thanks' });
  });

  it.each([300, 302, 400, 410, 500])('fails by status %i', (status) => {
    expect(answered(status)).toEqual({ status_code: status, success: false, response: '' });
  });

  it('fails by an answer without an end, whatever its status', () => {
    expect(answered(200, { body: 'half', complete: false })).toEqual({
      status_code: 200,
      success: false,
      response: 'The answer did not come to its end. half',
    });
  });

  it('fails with status 0 and the reason where nobody was reached', () => {
    expect(resultOf({ kind: 'failed', reason: 'No answer came' }, NOW)).toEqual({
      status_code: 0,
      success: false,
      response: 'No answer came',
    });
  });

  it('keeps 2,000 characters of the answer, none of them cut in two', () => {
    expect(answered(200, { body: 'a'.repeat(2001) }).response).toBe('a'.repeat(2000));
    expect(answered(200, { body: '😀'.repeat(2001) }).response).toBe('😀'.repeat(2000));
    expect(answered(200, { body: `a${'😀'.repeat(2001)}` }).response).toBe(`a${'😀'.repeat(1999)}`);
  });

  it.each([
    [429, '120', 120],
    [503, '0', 0],
    [503, 'Sat, 21 Nov 2026 12:01:30 GMT', 90],
    [429, 'Sat, 21 Nov 2026 11:00:00 GMT', 0],
    [429, 'soon', undefined],
    [429, '1.5e3', undefined],
    [500, '120', undefined],
    [200, '120', undefined],
  ])('of status %i is asked by Retry-After %j to wait %p seconds', (status, retryAfter, seconds) => {
    expect(answered(status, { retryAfter }).retry_after).toBe(seconds);
  });
});
