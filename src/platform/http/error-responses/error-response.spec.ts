import { StatementTimedOut } from '@outreach/database';
import { errorResponse } from './error-response.js';

describe('errorResponse', () => {
  it('returns 429 with the reason `busy` for a statement that exceeded its timeout', () => {
    expect(errorResponse(new StatementTimedOut())).toEqual({
      status: 429,
      body: { error: 'TooManyRequests', message: 'Too Many Attempts.', errors: null, code: 429, reason: 'busy' },
    });
  });

  it('returns 500 without details for an unexpected error', () => {
    const { status, body } = errorResponse(new Error('password: secret'));
    expect([status, JSON.stringify(body)]).toEqual([500, expect.not.stringContaining('secret')]);
  });
});
