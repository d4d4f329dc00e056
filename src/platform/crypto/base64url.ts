/**
 * The bytes that a base64url text without padding stands for; undefined for anything else. Unlike Buffer.from it takes
 * one spelling only: a text with a changed character never stands for the same bytes.
 */
export function fromBase64url(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : undefined;
}
