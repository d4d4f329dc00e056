/** The providers whose mailboxes are connected by OAuth. */
export const OAUTH_PROVIDERS = [
  /** Google, for Gmail and Google Workspace. */
  'google',
  /** Microsoft, for Outlook and Microsoft 365. */
  'microsoft',
] as const;

/** A provider whose mailboxes are connected by OAuth: the type of their accounts. */
export type OauthProvider = (typeof OAUTH_PROVIDERS)[number];

/** What messages for people call a provider. */
export const PROVIDER_NAMES: Readonly<Record<OauthProvider, string>> = { google: 'Google', microsoft: 'Microsoft' };
