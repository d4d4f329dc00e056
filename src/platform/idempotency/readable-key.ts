import type { KeyPosition } from './erase-responses.queries.js';

const PERCENT_ENCODED = /(?:%[0-9a-f]{2})+/gi;
const JSON_ESCAPE = /\\(?:u([0-9a-f]{4})|\/)/gi;

/**
 * Returns what a client may have meant by the key and the path of a request: as they are, decoded as UTF-8, and without
 * percent-encoding and the escapes of JSON, also if both were encoded twice.
 */
export function readableKey({ key, path }: Pick<KeyPosition, 'key' | 'path'>): string {
  const sent = `${key}\n${path}`;
  // Node reads the bytes of a header as Latin-1.
  const texts = [sent, Buffer.from(sent, 'latin1').toString('utf8')];
  return texts.flatMap((text) => [text, decoded(text), decoded(decoded(text))]).join('\n');
}

/** Bytes that are not UTF-8 become replacement characters. */
const decoded = (text: string): string =>
  text
    .replace(PERCENT_ENCODED, (bytes) => Buffer.from(bytes.replaceAll('%', ''), 'hex').toString('utf8'))
    .replace(JSON_ESCAPE, (_, code?: string) => (code === undefined ? '/' : String.fromCharCode(parseInt(code, 16))));
