import type { SmtpSettings } from '@outreach/mail-sessions';
import { CredentialsUnusable } from '../../email-account.errors.js';
import type { MailHosts, OauthMailbox, StoredAccount } from '../provider.js';
import { BY_SMTP } from './by-smtp.js';

/** What providers have in common whose mailboxes are connected by OAuth. */
export const BY_OAUTH = { ...BY_SMTP, inputs: null, login: [], secrets: [] } as const;

/** Returns the credentials of a connected mailbox. @throws CredentialsUnusable if it is not connected */
export function oauthMailbox(
  { id, oauth_address: username }: StoredAccount,
  { smtp, imap }: MailHosts,
  encryption: SmtpSettings['encryption'],
): Omit<OauthMailbox, 'type'> {
  if (username === null) throw new CredentialsUnusable('The email account is not connected.');
  return { smtp: { ...smtp, encryption }, imap, username, account_id: id };
}
