import { randomBytes } from 'node:crypto';

const KEY_BYTES = 32;
const MIN_KEY_LENGTH = 16;

/** Returns a new random key: 32 bytes in base64. */
export function generateKey(): string {
  return randomBytes(KEY_BYTES).toString('base64');
}

/** Whether a configured text can be used as a key: it has at least 16 characters without surrounding white space. */
export function isUsableKey(text: string): boolean {
  return text.trim().length >= MIN_KEY_LENGTH;
}
