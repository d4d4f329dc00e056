import * as base64 from 'nodemailer/lib/base64';
import { hasLongerLines, isPlainText } from 'nodemailer/lib/mime-funcs';
import MimeNode from 'nodemailer/lib/mime-node';
import * as quotedPrintable from 'nodemailer/lib/qp';
import type { WrittenMail } from './written-mail.js';

/** Longer lines are encoded (RFC 2045, 6.7, rule 5). */
const MAX_LINE_LENGTH = 76;

/** A body part, RFC 2045. */
interface Part {
  readonly type: 'text/plain' | 'text/html';
  readonly encoding: '7bit' | 'quoted-printable' | 'base64';
  readonly encoded: string;
}

/**
 * Returns the complete message in the format of RFC 5322 and MIME, in lines of 7-bit characters that end with CRLF. nodemailer
 * encodes the headers and the contents; its streams and its tree of parts take longer than everything else for a message of 5 kB.
 */
export function toMime(mail: WrittenMail): Buffer {
  const [text, html] = [mail.text && partOf('text/plain', mail.text), mail.html && partOf('text/html', mail.html)];
  return Buffer.from(text && html ? withAlternatives(mail, [text, html]) : withOnePart(mail, html || text || EMPTY));
}

const EMPTY: Part = { type: 'text/plain', encoding: '7bit', encoded: '' };

function withAlternatives(mail: WrittenMail, parts: readonly Part[]): string {
  const node = new MimeNode('multipart/alternative', { baseBoundary: boundaryOf(mail.message_id) });
  const headers = headersOf(node, mail);
  const bodies = parts.map((part) => {
    const fields = `Content-Type: ${part.type}; charset=utf-8\r\n${encodingField(part)}`;
    return `--${node.boundary}\r\n${fields}\r\n\r\n${part.encoded}\r\n`;
  });
  return `${headers}\r\n\r\n${bodies.join('')}--${node.boundary}--\r\n`;
}

function withOnePart(mail: WrittenMail, part: Part): string {
  const headers = headersOf(new MimeNode(`${part.type}; charset=utf-8`), mail);
  const end = part.encoded.endsWith('\n') ? '' : '\r\n';
  return `${headers}\r\n${encodingField(part)}\r\n\r\n${part.encoded}${end}`;
}

const encodingField = ({ encoding }: Part): string => `Content-Transfer-Encoding: ${encoding}`;

/** @returns the fields of the message, encoded and folded, without a line break after the last one */
function headersOf(node: MimeNode, mail: WrittenMail): string {
  const fields = Object.entries(mail.headers).map(([key, value]) => ({ key, value: fieldOf(key, value) }));
  return node
    .addHeader(fields)
    .setHeader('From', { name: mail.from.name, address: mail.from.email })
    .setHeader('To', { name: '', address: mail.to })
    .setHeader('Subject', mail.subject)
    .setHeader('Message-ID', `<${mail.message_id}>`)
    .buildHeaders();
}

/** Returns a boundary of the characters that RFC 2046 allows, 5.1.1, and of at most 40 of its 70 characters. */
const boundaryOf = (messageId: string): string =>
  messageId
    .replace(/@.*/, '')
    .replace(/[^A-Za-z0-9_-]/g, '_')
    .slice(0, 40);

function partOf(type: Part['type'], text: string): Part {
  // Servers disagree about whether CR alone ends a line, and after such an end a dot would end the message.
  const content = text.replaceAll(/\r\n?|\n/g, '\r\n');
  const isAscii = isPlainText(content);
  if (isAscii && !hasLongerLines(content, MAX_LINE_LENGTH)) return { type, encoding: '7bit', encoded: content };
  return isAscii || isMostlyLatin(content)
    ? { type, encoding: 'quoted-printable', encoded: quotedPrintable.wrap(quotedPrintable.encode(content)) }
    : { type, encoding: 'base64', encoded: base64.wrap(base64.encode(content)) };
}

/** Whether quoted-printable is shorter than base64, about, as nodemailer decides it. */
function isMostlyLatin(text: string): boolean {
  const letters = text.replaceAll(/[^A-Za-z]+/g, '').length;
  const others = text.replaceAll(/[\t\n\r\x20-\x7f]+/g, '').length;
  return others < letters;
}

/** Some mail programs do not find a link in a folded header. A line may have 998 characters (RFC 5322, 2.1.1). */
const fieldOf = (name: string, value: string): string | { prepared: true; value: string } =>
  name === 'List-Unsubscribe' ? { prepared: true, value } : value;
