const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** Decodes base64 (RFC 4648, 4); returns undefined for a text with other characters, where `Buffer.from` leaves them out. */
export const fromBase64 = (text: string): Buffer | undefined =>
  BASE64.test(text) ? Buffer.from(text, 'base64') : undefined;
