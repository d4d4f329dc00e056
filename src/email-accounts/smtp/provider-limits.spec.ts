import { limitOf, type MailProvider, providerOf } from './provider-limits.js';

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
    ['other', '550 5.4.5 Daily user sending limit exceeded', 'day'],
    ['other', '451 4.7.1 Greylisted, try again later', undefined],
    ['other', '421 4.7.0 Too many connections', undefined],
    ['other', '454 4.7.0 Temporary authentication failure', undefined],
  ] as const)('says what %s means by %s', (provider, response, limit) => {
    const [, code, , enhanced] = /^(\d{3}) (([45]\.\d+\.\d+) )?/.exec(response) ?? [];
    expect(limitOf(provider, { code: Number(code), enhanced, response })).toBe(limit);
  });
});

describe('providerOf', () => {
  it.each([
    ['google', null, 'google'],
    ['microsoft', null, 'microsoft'],
    ['smtp', 'smtp.gmail.com', 'google'],
    ['smtp', 'smtp-relay.gmail.com', 'google'],
    ['smtp', 'SMTP.Office365.com', 'microsoft'],
    ['smtp', 'smtp-mail.outlook.com', 'microsoft'],
    ['smtp', 'notsmtp.gmail.com.example', 'other'],
    ['smtp', 'mail.harbour.example', 'other'],
    ['sendgrid', null, 'other'],
  ] as const)('takes an account of the type %s at %s for %s', (type, host, provider: MailProvider) => {
    expect(providerOf({ type, smtp_host: host })).toBe(provider);
  });
});
