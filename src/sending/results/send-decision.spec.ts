import type { SendResult } from '@outreach/mail-sessions';
import { PROVIDERS } from '../../email-accounts/index.js';
import type { Bounce } from '../sending.events.js';
import { decideSend, isSoftBounce, retryMinutes } from './send-decision.js';

const refused = (
  code: number,
  enhanced?: string,
  phase: 'mail' | 'rcpt' | 'data' | 'message' = 'rcpt',
): SendResult => ({
  kind: 'refused',
  permanent: code >= 500,
  phase,
  code,
  ...(enhanced ? { enhanced } : {}),
  response: `${code} ${enhanced ?? ''} said the server`,
});

/** A refusal of RCPT with these words. */
const refusedWith = (response: string): SendResult => ({ ...refused(550), response }) as SendResult;

describe('decideSend', () => {
  it.each([
    [refused(550, '5.1.1'), 'bounced'],
    [refused(550, '5.1.10'), 'bounced'],
    [refused(550, '5.2.1'), 'bounced'],
    [refused(550, '5.4.4'), 'bounced'],
    [refusedWith('550 no such user'), 'bounced'],
    [refusedWith('550 5.4.1 Recipient address rejected: Access denied'), 'bounced'],
    [refusedWith('550 5.5.0 Requested action not taken: mailbox unavailable'), 'bounced'],
    [refused(550), 'failed'],
    [refused(551), 'failed'],
    [refused(553), 'failed'],
    [refusedWith('550 relay not permitted'), 'failed'],
    [refusedWith('550 denied (#5.7.1)'), 'failed'],
    [refusedWith('550 Recipient overquota'), 'later'],
    [{ ...refused(400, undefined, 'message'), permanent: true, response: '400 The to email is invalid' }, 'failed'],
    [refused(554, '5.1.1', 'message'), 'bounced'],
    [refused(550, '5.7.1'), 'failed'],
    [refused(554), 'failed'],
    [refused(550, undefined, 'message'), 'failed'],
    [refused(550, undefined, 'mail'), 'failed'],
    [refused(552, '5.2.2'), 'later'],
    [refused(550, '5.2.2'), 'later'],
    [refused(552), 'later'],
    [refused(450, '4.2.0'), 'later'],
    [refused(451, '4.7.1'), 'later'],
    [refused(550, '5.4.5', 'message'), 'limited'],
    [refused(550, '5.1.8', 'message'), 'failed'],
    [refused(550, '5.1.7'), 'failed'],
    [refused(550, '5.1.1', 'mail'), 'failed'],
    [refused(550, '5.7.60', 'message'), 'failed'],
    [refused(554, '5.2.0', 'message'), 'failed'],
    [refused(421), 'later'],
    [{ kind: 'lost', uncertain: false, reason: 'reset' }, 'later'],
    [{ kind: 'lost', uncertain: true, reason: 'reset' }, 'uncertain'],
    [{ kind: 'aborted' }, 'aborted'],
    [{ kind: 'accepted', response: '250 ok' }, 'sent'],
  ] as [SendResult, string][])('decides that %j is %s', (result, kind) => {
    expect(decideSend(result, 1).kind).toBe(kind);
  });

  it.each([
    ['google', refused(421, '4.7.0', 'mail'), { kind: 'limited', limit: 'rate' }],
    ['google', refused(550, '5.4.5', 'data'), { kind: 'limited', limit: 'day' }],
    ['google', refused(550, '5.1.1'), { kind: 'bounced' }],
    ['google', refused(450, '4.2.1'), { kind: 'later', minutes: 5 }],
    ['microsoft', refused(432, '4.3.2', 'mail'), { kind: 'limited', limit: 'rate' }],
    ['microsoft', refused(550, '5.1.90', 'message'), { kind: 'limited', limit: 'day' }],
    ['microsoft', refused(550, '5.1.8', 'message'), { kind: 'failed' }],
    ['microsoft', refused(550, '5.1.10'), { kind: 'bounced' }],
  ] as const)('decides by the codes of %s that %j is %j', (provider, result, decision) => {
    expect(decideSend(result, 1, PROVIDERS[provider])).toMatchObject(decision);
  });

  it.each([
    [refused(450, '4.7.1', 'mail'), { kind: 'limited', limit: 'rate' }],
    [refused(450, '4.7.1'), { kind: 'later', minutes: 5, may_be_limit: true }],
    [refused(451), { kind: 'later', minutes: 5, may_be_limit: true }],
    [refused(452, '4.2.2'), { kind: 'later', minutes: 5 }],
  ])('decides that %j of any server is %j', (result, decision) => {
    const bounce = decision.kind === 'later' ? { bounce: expect.objectContaining({ type: 'soft' }) } : {};
    expect(decideSend(result, 1)).toEqual({ ...decision, ...bounce });
  });

  it('returns the type, the code and the reply text of a bounce', () => {
    const message = '550 5.1.1 said the server';
    expect(decideSend(refused(550, '5.1.1'), 1)).toMatchObject({
      bounce: { type: 'hard', code: '5.1.1', message },
    });
    expect(decideSend(refused(554), 1)).toMatchObject({ bounce: { type: 'soft', code: '554' } });
  });

  it('retries after 5 min, 15 min, 1 h, 4 h and 12 h, then fails with the reply text of the server', () => {
    expect([1, 2, 3, 4, 5, 6].map(retryMinutes)).toEqual([5, 15, 60, 240, 720, undefined]);
    const bounce = { type: 'soft', code: '451', message: '451 said the server' };
    expect(decideSend(refused(451), 6)).toEqual({ kind: 'failed', bounce, was_retried: true });
  });

  it('distinguishes a message that was given up after its retries from one that was refused at once', () => {
    expect(decideSend(refused(452, '4.2.2'), 6)).toMatchObject({ kind: 'failed', was_retried: true });
    expect(decideSend(refused(552, '5.2.2'), 6)).toMatchObject({ kind: 'failed', was_retried: true });
    expect(decideSend(refused(550, '5.7.1'), 6)).toMatchObject({ kind: 'failed', was_retried: false });
  });

  it.each<[Bounce['type'], string | null, boolean]>([
    ['soft', '4.4.1', true],
    ['soft', '4.2.2', true],
    ['soft', '452', true],
    ['soft', '5.2.2', true],
    ['soft', '552', true],
    ['soft', '5.7.1', false],
    ['soft', '554', false],
    ['soft', null, false],
    ['hard', '5.1.1', false],
  ])('decides if a report of failure of the type %s with the code %s is a soft bounce: %s', (type, code, expected) => {
    expect(isSoftBounce({ type, code, message: '' })).toBe(expected);
  });

  it.each<[string | null, string, boolean]>([
    ['5.1.1', '550 5.1.1 <pat@acme.example>: mailbox full', true],
    [null, 'The mailbox is over quota.', true],
    ['5.1.1', '550 5.1.1 refused by policy', false],
    ['5.7.1', '550 5.7.1 message size exceeds limit', false],
  ])(
    'decides by the words if a soft report with the code %s is about a full mailbox: %j is %s',
    (code, message, expected) => {
      expect(isSoftBounce({ type: 'soft', code, message })).toBe(expected);
    },
  );
});
