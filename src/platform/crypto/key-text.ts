import { randomBytes } from 'node:crypto';

const KEY_BYTES = 32;
const MIN_KEY_LENGTH = 16;

/** A new random key as text: 32 bytes in base64. */
export function generateKey(): string {
  return randomBytes(KEY_BYTES).toString('base64');
}

/** Whether a configured text may serve as a key: at least 16 characters, white space around them not counted. */
export function isUsableKey(text: string): boolean {
  return text.trim().length >= MIN_KEY_LENGTH;
}
