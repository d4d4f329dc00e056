import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The message to which a sample in `mails/` refers. */
export interface About {
  /** Without angle brackets. */
  readonly message_id: string;
  readonly address: string;
}

/** Returns a sample of a real server that refers to one of our messages, with CRLF line ends. */
export function reportedMail(name: string, about: About): Buffer {
  const sample = readFileSync(join(import.meta.dirname, 'mails', `${name}.eml`), 'utf8');
  const text = sample.replaceAll('{{message_id}}', about.message_id).replaceAll('{{address}}', about.address);
  return Buffer.from(text.replaceAll('\n', '\r\n'));
}
