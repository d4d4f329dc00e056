import type { SmtpEncryption } from '../email-account.entity.js';

/** The address of a mail server, and the login. */
export interface SmtpSettings {
  readonly host: string;
  readonly port: number;
  readonly username: string;
  readonly password: string;
  readonly encryption: SmtpEncryption;
}

/** Ports of relays, many of which offer no STARTTLS, no trusted certificate or no AUTH. */
const RELAY_PORTS: readonly number[] = [25, 2525];

/**
 * Returns whether encryption and login are optional: used only if the server offers them (API v1, "Email accounts").
 */
export const isOpportunistic = ({ encryption, port }: SmtpSettings): boolean =>
  encryption === 'tls' && RELAY_PORTS.includes(port);
