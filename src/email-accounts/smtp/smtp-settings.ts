import type { SmtpEncryption } from '../email-account.entity.js';

/** How to reach a mail server and log in there. */
export interface SmtpSettings {
  readonly host: string;
  readonly port: number;
  readonly username: string;
  readonly password: string;
  readonly encryption: SmtpEncryption;
}

/** Ports between mail servers and of old relays, where many offer neither STARTTLS nor a certificate to trust, nor AUTH. */
const RELAY_PORTS: readonly number[] = [25, 2525];

/** Whether encryption and login are used where the server offers them, rather than demanded (API v1, "Email accounts"). */
export const isOpportunistic = ({ encryption, port }: SmtpSettings): boolean =>
  encryption === 'tls' && RELAY_PORTS.includes(port);
