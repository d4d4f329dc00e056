import { CredentialsUnusable } from '../../email-account.errors.js';
import type { SmtpSettings } from '../../smtp/index.js';
import type { MailHosts, OauthMailbox, StoredAccount } from '../provider.js';
import type { OauthProvider } from '../provider-names.js';
import { BY_SMTP } from './by-smtp.js';

/** What providers have in common whose mailboxes are connected by OAuth. */
export const BY_OAUTH = { ...BY_SMTP, inputs: null, login: [], secrets: [] } as const;

/** Returns the credentials of a connected mailbox. @throws CredentialsUnusable if it is not connected */
export function oauthMailbox(
  type: OauthProvider,
  { id, oauth_address: username }: StoredAccount,
  { smtp, imap }: MailHosts,
  encryption: SmtpSettings['encryption'],
): OauthMailbox {
  if (username === null) throw new CredentialsUnusable('The email account is not connected.');
  return { type, smtp: { ...smtp, encryption }, imap, username, account_id: id };
}
