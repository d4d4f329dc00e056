import { limitOf, mayBeLimit } from './provider-limits.js';
import { PROVIDERS, serverOf } from './providers.js';

describe('limitOf', () => {
  it.each([
    ['google', '550 5.4.5 Daily user sending limit exceeded. gsmtp', 'day'],
    ['google', '550 5.4.5 Daily sending quota exceeded', 'day'],
    ['google', '550 5.7.1 Daily SMTP relay limit exceeded for customer', 'day'],
    ['google', '550 5.7.1 Email quota exceeded', 'day'],
    ['google', '550 5.7.1 Our system has detected that this message is likely unsolicited mail', undefined],
    ['google', '421 4.7.0 Try again later, closing connection', 'rate'],
    ['google', '421 4.3.0 Temporary System Problem. Try again later', 'rate'],
    ['google', '421 Service not available', 'rate'],
    ['google', '454 4.7.0 Too many login attempts, please try again later', 'rate'],
    ['google', '451 4.7.28 Our system has detected an unusual rate of mail', 'rate'],
    ['google', '450 4.2.1 Peak SMTP relay limit exceeded for customer', 'rate'],
    ['google', '450 4.2.1 The user you are trying to contact is receiving mail too quickly', undefined],
    ['google', '451 4.3.0 Mail server temporarily rejected message', undefined],
    ['google', '452 4.2.2 The email account that you tried to reach is over quota', undefined],
    ['google', '550 5.1.1 The email account that you tried to reach does not exist', undefined],
    ['microsoft', '432 4.3.2 Concurrent connections limit exceeded', 'rate'],
    ['microsoft', '421 4.3.2 STOREDRV.ClientSubmit; sender thread limit exceeded', 'rate'],
    ['microsoft', '451 4.7.500 Server busy. Please try again later', 'rate'],
    ['microsoft', '554 5.2.0 STOREDRV.Submission.Exception:SubmissionQuotaExceededException', 'day'],
    ['microsoft', '554 5.2.0 STOREDRV.Submission.Exception:SendAsDeniedException', undefined],
    ['microsoft', '554 5.2.0 STOREDRV.Submission.Exception:OutboundSpamException', undefined],
    ['microsoft', "550 5.1.90 You've reached your daily limit for message recipients", 'day'],
    ['microsoft', '550 5.2.252 Sender throttled due to continuous send as denied errors', 'day'],
    ['microsoft', '550 5.1.8 Access denied, bad outbound sender', undefined],
    ['microsoft', '550 5.7.60 SMTP; Client does not have permissions to send as this sender', undefined],
    ['smtp', '550 5.4.5 Daily user sending limit exceeded', 'day'],
    ['sendgrid', '429 too many requests', 'rate'],
    ['smtp', '451 4.7.1 Greylisted, try again later', undefined],
    ['smtp', '421 4.7.0 Too many connections', undefined],
    ['smtp', '454 4.7.0 Temporary authentication failure', undefined],
  ] as const)('says what %s means by %s', (provider, response, limit) => {
    expect(limitOf(PROVIDERS[provider], replyOf(response))).toBe(limit);
  });

  it.each([
    ['mail', '450 4.7.1 Error: too much mail from 192.0.2.1', 'rate'],
    ['mail', '451 4.3.0 Mail server temporarily rejected message', 'rate'],
    ['mail', '452 4.3.1 Insufficient system storage', 'rate'],
    ['mail', '451 Sending rate exceeded, try again in an hour', 'rate'],
    ['mail', '421 4.7.0 Rate limit exceeded', 'rate'],
    ['mail', '421 4.3.2 Service shutting down', undefined],
    ['mail', '550 5.7.1 Sender address rejected', undefined],
    ['connection', '421 4.7.0 mx.example Error: too many connections from 192.0.2.1', 'rate'],
    ['connection', '450 4.7.1 Error: too many AUTH commands from 192.0.2.1', 'rate'],
    ['connection', '454 4.7.0 Temporary authentication failure', undefined],
    ['connection', '421 4.3.2 All server ports are busy', undefined],
    ['rcpt', '451 4.7.1 Greylisted, try again later', undefined],
    ['rcpt', '450 4.7.1 Error: too many recipients from 192.0.2.1', undefined],
  ] as const)('says what any server means at %s by %s', (phase, response, limit) => {
    expect(limitOf(PROVIDERS.smtp, { ...replyOf(response), phase })).toBe(limit);
  });
});

describe('mayBeLimit', () => {
  it.each([
    ['450 4.7.1 Error: too many recipients from 192.0.2.1', true],
    ['451 4.7.1 Please try again later', true],
    ['421 4.7.0 Too many messages', true],
    ['451 Temporary local problem - please try later', true],
    ['450 Too many messages in this hour', true],
    ['452 4.3.1 Insufficient system storage', true],
    ['452 4.5.3 Too many recipients', true],
    ['451 4.7.1 Greylisted, please try again in 300 seconds', false],
    ['450 4.2.0 Recipient address rejected: Greylisted', false],
    ['451 You are being gray-listed', false],
    ['450 4.1.2 Recipient address rejected: Domain not found', false],
    ['452 4.2.2 Mailbox full', false],
    ['450 4.2.1 The user you are trying to contact is receiving mail too quickly', false],
    ['421 4.3.2 Closing', false],
    ['421 Closing', false],
    ['550 5.7.1 Rejected', false],
  ])('returns for %s: %s', (response, expected) => {
    expect(mayBeLimit(replyOf(response))).toBe(expected);
  });
});

function replyOf(response: string) {
  const [, code, , enhanced] = /^(\d{3}) (([45]\.\d+\.\d+) )?/.exec(response) ?? [];
  return { code: Number(code), enhanced, response };
}

describe('serverOf', () => {
  it.each([
    ['google', null, 'google'],
    ['microsoft', null, 'microsoft'],
    ['smtp', 'smtp.gmail.com', 'google'],
    ['smtp', 'smtp-relay.gmail.com', 'google'],
    ['smtp', 'SMTP.Office365.com', 'microsoft'],
    ['smtp', 'smtp-mail.outlook.com', 'microsoft'],
    ['smtp', 'notsmtp.gmail.com.example', 'smtp'],
    ['smtp', 'mail.harbour.example', 'smtp'],
    ['smtp', 'smtp.eu.sendgrid.net', 'sendgrid'],
    ['sendgrid', null, 'sendgrid'],
  ] as const)('takes an account of the type %s at %s for %s', (type, host, provider) => {
    expect(serverOf({ type, smtp_host: host })).toBe(PROVIDERS[provider]);
  });
});
