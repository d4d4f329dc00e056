const REFERENCES: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
]);

/** Escapes text for HTML, both between tags and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => REFERENCES.get(character) ?? character);
}

/**
 * Removes line breaks and other control characters, so that no value can end the Subject header and start another
 * header (RFC 5322, 2.2).
 */
export function onOneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]/gu, '');
}

/** The characters that `encodeURIComponent` leaves although they are reserved (RFC 3986, 2.2). */
const RESERVED = /[!'()*]/g;

/** Percent-encodes text as a value in the query, or a segment in the path, of a URL (RFC 3986, 2.1). */
export function percentEncode(text: string): string {
  const encoded = encodeURIComponent(text.toWellFormed());
  return encoded.replace(RESERVED, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}
