/** How an email account sends. */
export const EMAIL_ACCOUNT_TYPES = [
  /** By SMTP, with a user name and a password. */
  'smtp',
  /** By the API of SendGrid, with an API key. */
  'sendgrid',
  /** By Gmail, connected by OAuth. */
  'google',
  /** By Microsoft 365, connected by OAuth. */
  'microsoft',
] as const;
/** The provider of an account. */
export type EmailAccountType = (typeof EMAIL_ACCOUNT_TYPES)[number];

/** The providers whose mailboxes are connected by OAuth. */
export const OAUTH_PROVIDERS = [
  /** Google, for Gmail and Google Workspace. */
  'google',
  /** Microsoft, for Outlook and Microsoft 365. */
  'microsoft',
] as const satisfies readonly EmailAccountType[];

/** A provider whose mailboxes are connected by OAuth: the type of their accounts. */
export type OauthProvider = (typeof OAUTH_PROVIDERS)[number];

/** SQL: the condition that a column has one of some names, for a constraint of a table. */
export const isOneOf = (column: string, names: readonly string[]): string =>
  `${column} IN (${names.map((name) => `'${name}'`).join(', ')})`;
