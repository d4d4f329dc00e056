/**
 * Decodes base64url without padding; returns undefined for any other text. Unlike `Buffer.from` it accepts only the
 * canonical encoding: two different texts never decode to the same bytes.
 */
export function fromBase64url(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : undefined;
}

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** Decodes base64 (RFC 4648, 4); returns undefined for a text with other characters, where `Buffer.from` leaves them out. */
export const fromBase64 = (text: string): Buffer | undefined =>
  BASE64.test(text) ? Buffer.from(text, 'base64') : undefined;
