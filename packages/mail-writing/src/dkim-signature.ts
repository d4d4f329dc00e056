import { createHash, createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { promisify } from 'node:util';
import type { DkimCredentials } from './dkim-key.js';

/** With what messages are signed, with the key ready for use. */
export interface DkimSigner {
  readonly domain: string;
  readonly selector: string;
  readonly key: KeyObject;
}

/** Returns a signer, which parses the key once for all messages. */
export const dkimSigner = ({ domain, selector, private_key }: DkimCredentials): DkimSigner => ({
  domain,
  selector,
  key: createPrivateKey(private_key),
});

/** The headers that a signature covers, and that may not be added (RFC 6376, 5.4.1 and 8.15). */
const SIGNED = [
  ...['from', 'sender', 'reply-to', 'to', 'cc', 'subject', 'date', 'message-id', 'in-reply-to', 'references'],
  ...['mime-version', 'content-type', 'content-transfer-encoding'],
];

/** Covered if the message has them (RFC 8058, 4): a mailing list may add its own to the message of a person. */
const SIGNED_IF_PRESENT = ['list-unsubscribe', 'list-unsubscribe-post', 'feedback-id'];

const COVERED = new Set([...SIGNED, ...SIGNED_IF_PRESENT]);

const MAX_LINE_LENGTH = 72;
const signAsync = promisify(sign);

/**
 * Returns a message with its DKIM signature (RFC 6376; RFC 8463 for Ed25519) as the first header. Line breaks become CRLF,
 * as they are sent.
 */
export async function signed(message: Buffer, signer: DkimSigner): Promise<Buffer> {
  const text = message.toString('latin1').replace(/\r\n|\r|\n/g, '\r\n');
  const end = text.indexOf('\r\n\r\n');
  const headers = text.slice(0, end).split(/\r\n(?![ \t])/);
  // Of several headers with one name, the last one is listed first (RFC 6376, 5.4.2).
  const covered = headers.filter((header) => COVERED.has(nameOf(header))).reverse();
  const unsigned = signatureHeader(signer, covered, bodyHash(text.slice(end + 4)));
  const data = [...covered, unsigned].map(relaxedHeader).join('\r\n');
  const signature = (await signatureOf(Buffer.from(data, 'latin1'), signer.key)).toString('base64');
  return Buffer.from(`${unsigned}${folded(signature)}\r\n${text}`, 'latin1');
}

/** RFC 8463, 3: Ed25519 signs the hash of the headers, not the headers. */
function signatureOf(data: Buffer, key: KeyObject): Promise<Buffer> {
  const isRsa = key.asymmetricKeyType === 'rsa';
  return isRsa ? signAsync('sha256', data, key) : signAsync(null, sha256(data), key);
}

/** The header up to the value of its last tag, which is the signature. */
function signatureHeader({ domain, selector, key }: DkimSigner, covered: readonly string[], hash: string): string {
  const algorithm = key.asymmetricKeyType === 'rsa' ? 'rsa-sha256' : 'ed25519-sha256';
  const present = covered.map(nameOf);
  // Each name once more than it occurs: a header that is added later makes the signature invalid.
  const names = [...present, ...SIGNED, ...SIGNED_IF_PRESENT.filter((name) => present.includes(name))];
  return [
    `DKIM-Signature: v=1; a=${algorithm}; c=relaxed/relaxed;`,
    ` d=${domain};`,
    ` s=${selector};`,
    ` h=${folded(names.join(':'), ':')};`,
    ` bh=${hash};`,
    ' b=',
  ].join('\r\n');
}

/** Breaks a long value into lines: after each `separator`, or anywhere without one. */
function folded(value: string, separator?: string): string {
  const parts = separator === undefined ? (value.match(/.{1,72}/g) ?? []) : value.split(/(?<=:)/);
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + part.length <= MAX_LINE_LENGTH) lines[lines.length - 1] = last + part;
    else lines.push(part);
  }
  return lines.join('\r\n ');
}

const nameOf = (header: string): string => header.slice(0, header.indexOf(':')).trim().toLowerCase();

/** RFC 6376, 3.4.2. */
function relaxedHeader(header: string): string {
  const value = header.slice(header.indexOf(':') + 1);
  return `${nameOf(header)}:${value
    .replace(/\r\n/g, '')
    .replace(/[ \t]+/g, ' ')
    .trim()}`;
}

/** RFC 6376, 3.4.4. */
function bodyHash(body: string): string {
  const lines = body.replace(/[ \t]+/g, ' ').replaceAll(' \r\n', '\r\n');
  let end = lines.length;
  while (end >= 2 && lines.startsWith('\r\n', end - 2)) end -= 2;
  return sha256(Buffer.from(end === 0 ? '' : `${lines.slice(0, end)}\r\n`, 'latin1')).toString('base64');
}

const sha256 = (data: Buffer): Buffer => createHash('sha256').update(data).digest();
