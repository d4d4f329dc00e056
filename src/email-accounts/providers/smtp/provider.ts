import type { SmtpEncryption, SmtpSettings } from '@outreach/mail-sessions';
import { CredentialsUnusable } from '../../email-account.errors.js';
import type { MailProvider, PasswordMailbox, StoredAccount, Vault } from '../provider.js';
import { BY_SMTP } from './by-smtp.js';
import { smtpInputs } from './inputs.js';

interface StoredLogin extends StoredAccount {
  readonly smtp_host: string | null;
  readonly smtp_port: number | null;
  readonly smtp_username: string | null;
  readonly smtp_encryption: SmtpEncryption | null;
  readonly smtp_password_encrypted: string | null;
}

/** Any mail server, with a user name and a password. */
export const smtp: MailProvider<PasswordMailbox, StoredLogin> = {
  ...BY_SMTP,
  name: 'SMTP',
  domains: [],
  spf_includes: [],
  dkim_selectors: [],
  oauth: null,
  inputs: smtpInputs,
  login: ['smtp_host', 'smtp_port', 'smtp_username', 'smtp_encryption', 'smtp_password'],
  secrets: [
    { input: 'smtp_password', context: 'smtp_password_sealed', meaning: 'SMTP passwords of email accounts' },
    { input: 'imap_password', context: 'imap_password', meaning: 'IMAP passwords of email accounts' },
  ],
  credentials: (account, vault) => ({ smtp: settingsOf(account, vault) }),
};

function settingsOf(account: StoredLogin, vault: Vault<unknown>): SmtpSettings {
  const { smtp_host: host, smtp_port: port, smtp_username: username, smtp_encryption: encryption } = account;
  if (host === null || port === null || username === null || encryption === null)
    throw new CredentialsUnusable('The email account has no credentials.');
  const password = vault.decrypt('smtp_password_encrypted', account.smtp_password_encrypted);
  return { host, port, username, login: { type: 'password', password }, encryption };
}
