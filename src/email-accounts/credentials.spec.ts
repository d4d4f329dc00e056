import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { Keyring } from '../platform/crypto/index.js';
import { WorkspaceScope } from '../platform/tenancy/index.js';
import { Credentials } from './credentials.js';
import { CredentialsUnusable } from './email-account.errors.js';
import { parseMailHosts } from './oauth/oauth.settings.js';

const keyring = new Keyring(['a key that only tests use']);
const credentials = new Credentials(keyring, {
  google_mail_hosts: parseMailHosts('smtp.google.test:465,imap.google.test:993'),
  microsoft_mail_hosts: parseMailHosts('smtp.microsoft.test:587,imap.microsoft.test:993'),
});
const database = { forTenant: () => database, refreshClock: () => undefined };
const scopeOf = (workspaceId: number) => WorkspaceScope.open(workspaceId, database as never);
const account = (encrypted: string) => ({
  id: 1,
  type: 'sendgrid' as const,
  smtp_host: null,
  smtp_port: null,
  smtp_username: null,
  smtp_encryption: null,
  smtp_password_encrypted: null,
  imap_host: null,
  imap_port: null,
  imap_encryption: null,
  imap_username: null,
  imap_password_encrypted: null,
  sendgrid_api_key_encrypted: encrypted,
  dkim_domain: null,
  dkim_selector: null,
  dkim_private_key_encrypted: null,
  oauth_address: null,
});

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1_024 });
const OVERSIZED_KEY = createPrivateKey({
  format: 'jwk',
  key: { ...privateKey.export({ format: 'jwk' }), p: Buffer.alloc(1_600, 0xff).toString('base64url') },
})
  .export({ type: 'pkcs8', format: 'pem' })
  .toString();

describe('the credentials of an email account', () => {
  it('are decrypted if they were stored before the columns were renamed', async () => {
    const stored = keyring.encrypt('SG.key', 'email_account:sendgrid_api_key_sealed:7');
    expect(credentials.decrypt(await scopeOf(7), account(stored))).toEqual({ type: 'sendgrid', api_key: 'SG.key' });
  });

  it('are not decrypted in another workspace, nor from another column', async () => {
    const [own, other] = [await scopeOf(7), await scopeOf(8)];
    const { sendgrid_api_key_encrypted: key = null } = credentials.encrypt(own, { sendgrid_api_key: 'SG.key' });
    const { smtp_password_encrypted: password = null } = credentials.encrypt(own, { smtp_password: 'SG.key' });
    expect(() => credentials.decrypt(other, account(key ?? ''))).toThrow(CredentialsUnusable);
    expect(() => credentials.decrypt(own, account(password ?? ''))).toThrow(CredentialsUnusable);
  });

  it('are unusable with a DKIM key that has numbers of any length, as earlier versions stored them', async () => {
    const own = await scopeOf(7);
    const stored = { ...credentials.encrypt(own, { smtp_password: 'p', dkim_private_key: OVERSIZED_KEY }) };
    const smtp = { type: 'smtp' as const, smtp_host: 'a.example', smtp_port: 587, smtp_username: 'u' };
    const signing = {
      ...smtp,
      smtp_encryption: 'tls' as const,
      dkim_domain: 'a.example',
      dkim_selector: 's',
      ...stored,
    };
    const decrypt = () => credentials.decrypt(own, { ...account(''), ...signing });
    expect(decrypt).toThrow(/dkim_private_key must be .* enter it again/);
  });
});
