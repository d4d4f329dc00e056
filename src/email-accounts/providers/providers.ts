import { google } from './google/provider.js';
import { microsoft } from './microsoft/provider.js';
import type { MailProvider, OauthParts } from './provider.js';
import type { EmailAccountType, OauthProvider } from './provider-names.js';
import { sendgrid } from './sendgrid/provider.js';
import { smtp } from './smtp/provider.js';

/** All providers, by the type of their accounts. */
export const PROVIDERS: Readonly<Record<EmailAccountType, MailProvider>> = { smtp, sendgrid, google, microsoft };

/** The column in which a secret input is stored encrypted. */
export const columnOf = (secret: string): string => `${secret}_encrypted`;

/** Returns the provider of an account's mail server: the host name of the server says it, or the type of the account. */
export const serverOf = ({
  type,
  smtp_host: host,
}: {
  readonly type: EmailAccountType;
  readonly smtp_host: string | null;
}): MailProvider => Object.values(PROVIDERS).find(({ servers }) => servers?.test(host ?? '')) ?? PROVIDERS[type];

/** Whether accounts of a type have an input; false for a type that does not exist. */
export function hasInput(type: unknown, input: string): boolean {
  const provider = new Map<unknown, MailProvider>(Object.entries(PROVIDERS)).get(type);
  return provider !== undefined && [...provider.fields, ...provider.secrets.map((each) => each.input)].includes(input);
}

/** Returns how mailboxes of a provider are connected. */
export function oauthOf(type: OauthProvider): OauthParts {
  const { oauth, name } = PROVIDERS[type];
  if (!oauth) throw new Error(`${name} has no OAuth.`);
  return oauth;
}
