/** How the connection to the mail server is encrypted. */
export const SMTP_ENCRYPTIONS = [
  /**
   * STARTTLS, as on port 587. On the ports 25 and 2525 it is used if the server offers it; on others it is required.
   */
  'tls',
  /** TLS from the beginning, as on port 465. */
  'ssl',
] as const;
export type SmtpEncryption = (typeof SMTP_ENCRYPTIONS)[number];

/** The address of a mail server, and the login. */
export interface SmtpSettings {
  readonly host: string;
  readonly port: number;
  readonly username: string;
  readonly login: SmtpLogin;
  readonly encryption: SmtpEncryption;
}

/** How a session logs in: with a password, or by OAuth (XOAUTH2), which requires encryption and login on every port. */
export type SmtpLogin =
  { readonly type: 'password'; readonly password: string } | { readonly type: 'oauth'; readonly access_token: string };

/** Returns the secret of a login. */
export const loginSecretOf = (login: SmtpLogin): string =>
  login.type === 'password' ? login.password : login.access_token;

/** Ports of relays, many of which offer no STARTTLS, no trusted certificate or no AUTH. */
const RELAY_PORTS: readonly number[] = [25, 2525];

/**
 * Returns whether encryption and login are optional: used only if the server offers them.
 */
export const isOpportunistic = ({ encryption, port, login }: SmtpSettings): boolean =>
  encryption === 'tls' && login.type === 'password' && RELAY_PORTS.includes(port);
