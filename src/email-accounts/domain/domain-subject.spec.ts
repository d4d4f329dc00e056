import { domainSubject } from './domain-subject.js';

describe('domainSubject', () => {
  const account = {
    type: 'smtp' as const,
    from_email: 'a@a.example',
    smtp_host: 'mail.a.example',
    dkim_domain: null,
    dkim_selector: null,
    dkim_private_key_encrypted: null,
  };
  const google = ['google._domainkey.a.example'];
  it.each([
    [{}, [], []],
    [{ type: 'google' as const, smtp_host: null }, ['_spf.google.com'], google],
    [{ smtp_host: 'smtp.gmail.com' }, ['_spf.google.com'], google],
    [
      { smtp_host: 'SMTP.Office365.com.' },
      ['spf.protection.outlook.com'],
      ['selector1._domainkey.a.example', 'selector2._domainkey.a.example'],
    ],
    [
      { type: 'sendgrid' as const, smtp_host: null },
      ['sendgrid.net'],
      ['s1._domainkey.a.example', 's2._domainkey.a.example'],
    ],
    [{ smtp_host: 'smtp.sendgrid.net' }, ['sendgrid.net'], ['s1._domainkey.a.example', 's2._domainkey.a.example']],
    [
      { type: 'google' as const, dkim_domain: 'example', dkim_selector: 'k' },
      ['_spf.google.com'],
      ['k._domainkey.example'],
    ],
    [{ type: 'google' as const, from_email: 'a@gmail.com' }, [], []],
  ])('of an account with %j', (changes, includes, dkim_names) => {
    const domain = 'from_email' in changes ? 'gmail.com' : 'a.example';
    expect(domainSubject({ ...account, ...changes })).toEqual({ domain, includes, dkim_names, dkim_key_hash: null });
  });
});
