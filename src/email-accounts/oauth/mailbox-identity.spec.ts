import { mailboxIdentity } from './mailbox-identity.js';

const token = { iss: 'https://issuer.example', sub: 'a', aud: 'b', iat: 1, exp: 2 };

describe('the mailbox of an ID token', () => {
  it('has the address in lower case, and the name in one line', () => {
    const claims = { ...token, email: 'Anna@Mail.Example', name: ` Anna\r\n\u202eExample ${'x'.repeat(300)}` };
    const identity = mailboxIdentity('google', claims);
    expect(identity?.address).toBe('anna@mail.example');
    expect(identity?.name).toMatch(/^Anna Example x+$/);
    expect(identity?.name).toHaveLength(255);
  });

  it('has the address as its name if the token has none', () => {
    for (const name of [undefined, '', '\u0000', 5, null]) {
      const claims = name === undefined ? token : { ...token, name };
      expect(mailboxIdentity('google', { ...claims, email: 'a@b.example' })?.name).toBe('a@b.example');
    }
  });

  it('has the user name as its address at Microsoft if there is no valid one', () => {
    const claims = { ...token, email: 'no-address', preferred_username: 'anna@contoso.example' };
    expect(mailboxIdentity('microsoft', claims)?.address).toBe('anna@contoso.example');
    expect(mailboxIdentity('microsoft', { ...claims, email: 'a@b.example' })?.address).toBe('a@b.example');
    expect(mailboxIdentity('google', claims)).toBeUndefined();
  });

  it.each([false, 'false'])('is unknown if the address is not verified (%p)', (verified) => {
    const claims = { ...token, email: 'a@b.example', email_verified: verified };
    expect(mailboxIdentity('google', claims)).toBeUndefined();
    expect(mailboxIdentity('microsoft', claims)).toBeUndefined();
  });
});
