const REFERENCES: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
]);

/** Text that stands for itself in HTML, between tags and inside quoted attributes alike. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => REFERENCES.get(character) ?? character);
}

/**
 * Text on one line: without line breaks and other control characters, so that no value can end the Subject header
 * and begin another one (RFC 5322, 2.2).
 */
export function onOneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]/gu, '');
}
