import { attemptResult } from './attempt-result.js';

const NOW = new Date('2026-11-21T12:00:00.000Z');

const resultOf = (status: number, { body = '', complete = true, retryAfter = '' } = {}) =>
  attemptResult(
    { kind: 'response', status, body, complete, headers: retryAfter ? { retry_after: retryAfter } : {} },
    NOW,
  );

describe('attemptResult', () => {
  it.each([200, 204, 299])('is a success for a complete response with the status %i', (status) => {
    expect(resultOf(status, { body: 'thanks' })).toEqual({ status_code: status, success: true, response: 'thanks' });
  });

  it.each([300, 302, 400, 410, 500])('is a failure for the status %i', (status) => {
    expect(resultOf(status)).toEqual({ status_code: status, success: false, response: '' });
  });

  it('is a failure for an incomplete response with any status', () => {
    expect(resultOf(200, { body: 'half', complete: false })).toEqual({
      status_code: 200,
      success: false,
      response: 'The response was incomplete. half',
    });
  });

  it('has the status 0 and the reason if the endpoint was not reached', () => {
    expect(attemptResult({ kind: 'failed', reason: 'No response in time' }, NOW)).toEqual({
      status_code: 0,
      success: false,
      response: 'No response in time',
    });
  });

  it('has the first 2,000 characters of the response, and splits none of them', () => {
    expect(resultOf(200, { body: 'a'.repeat(2001) }).response).toBe('a'.repeat(2000));
    expect(resultOf(200, { body: '😀'.repeat(2001) }).response).toBe('😀'.repeat(2000));
    expect(resultOf(200, { body: `a${'😀'.repeat(2001)}` }).response).toBe(`a${'😀'.repeat(1999)}`);
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
  ])('for the status %i with Retry-After %j has a retry_after of %p seconds', (status, retryAfter, seconds) => {
    expect(resultOf(status, { retryAfter }).retry_after).toBe(seconds);
  });
});
