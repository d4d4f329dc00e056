import { google } from './google/provider.js';
import { microsoft } from './microsoft/provider.js';
import type { MailProvider, OauthParts } from './provider.js';
import { EMAIL_ACCOUNT_TYPES, type EmailAccountType, type OauthProvider } from './provider-names.js';
import { sendgrid, SENDGRID_SECRETS } from './sendgrid/provider.js';
import { smtp, SMTP_SECRETS } from './smtp/provider.js';

/** All providers, by the type of their accounts. */
export const PROVIDERS: Readonly<Record<EmailAccountType, MailProvider>> = { smtp, sendgrid, google, microsoft };

/** The secrets of all providers. */
export const SECRETS = [...SMTP_SECRETS, ...SENDGRID_SECRETS] as const;

/** Returns the provider of an account's mail server: the host name of the server says it, or the type of the account. */
export const serverOf = ({
  type,
  smtp_host: host,
}: {
  readonly type: EmailAccountType;
  readonly smtp_host: string | null;
}): MailProvider =>
  EMAIL_ACCOUNT_TYPES.map((each) => PROVIDERS[each]).find(({ servers }) => servers?.test(host ?? '')) ??
  PROVIDERS[type];

/** Returns how mailboxes of a provider are connected. */
export function oauthOf(type: OauthProvider): OauthParts {
  const { oauth, name } = PROVIDERS[type];
  if (!oauth) throw new Error(`${name} has no OAuth.`);
  return oauth;
}
