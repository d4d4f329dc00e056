/** How the connection to the IMAP server is encrypted. */
export const IMAP_ENCRYPTIONS = [
  /** TLS from the beginning, as on port 993. */
  'ssl',
  /** STARTTLS, as on port 143. */
  'tls',
] as const;
export type ImapEncryption = (typeof IMAP_ENCRYPTIONS)[number];

/** The address of an IMAP server, and the login. */
export interface ImapSettings {
  readonly host: string;
  readonly port: number;
  readonly encryption: ImapEncryption;
  readonly username: string;
  readonly login: ImapLogin;
}

/** How a session logs in: with a password, or by OAuth (OAUTHBEARER or XOAUTH2, as the server offers). */
export type ImapLogin =
  { readonly type: 'password'; readonly password: string } | { readonly type: 'oauth'; readonly access_token: string };

/** Returns the secret of a login. */
export const secretOf = (login: ImapLogin): string => (login.type === 'password' ? login.password : login.access_token);
