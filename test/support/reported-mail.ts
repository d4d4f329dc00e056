import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a mail in `mails/` is about. */
export interface About {
  /** Without angle brackets. */
  readonly message_id: string;
  readonly address: string;
}

/** A mail as real servers write it, about one of our messages, with the line ends of RFC 5322. */
export function reportedMail(name: string, about: About): Buffer {
  const sample = readFileSync(join(import.meta.dirname, 'mails', `${name}.eml`), 'utf8');
  const text = sample.replaceAll('{{message_id}}', about.message_id).replaceAll('{{address}}', about.address);
  return Buffer.from(text.replaceAll('\n', '\r\n'));
}
