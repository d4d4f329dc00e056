/**
 * Decodes base64url without padding; returns undefined for any other text. Unlike `Buffer.from` it accepts only the
 * canonical encoding: two different texts never decode to the same bytes.
 */
export function fromBase64url(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : undefined;
}
