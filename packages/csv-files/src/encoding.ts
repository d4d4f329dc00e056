import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Transform } from 'node:stream';
import iconv from 'iconv-lite';
import { NotCsv } from './not-csv.js';
import { formatOf } from './other-formats.js';

/** The encodings that are read. */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

const BYTE_ORDER_MARKS: readonly (readonly [Encoding, Buffer])[] = [
  ['utf-8', Buffer.from([0xef, 0xbb, 0xbf])],
  ['utf-16le', Buffer.from([0xff, 0xfe])],
  ['utf-16be', Buffer.from([0xfe, 0xff])],
];

/** The encoding of a file, and whether some of its bytes are not valid in it. */
export interface DetectedEncoding {
  readonly encoding: Encoding;
  readonly isDamaged: boolean;
}

/** The encodings as messages name them. */
export const ENCODING_NAMES: Readonly<Record<Encoding, string>> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16',
  'windows-1252': 'Windows-1252',
};

/** What a decoder returns for bytes that are not valid. */
export const REPLACEMENT_CHARACTER = '\ufffd';

/** Bytes of the start and of the end of a file, which show its format. */
const FORMAT_BYTES = 65_536;

/**
 * The encoding of the file: that of its byte order mark; without one, UTF-8 if at least half of its characters beyond ASCII
 * are valid in it, else Windows-1252. Text in Windows-1252 hardly ever has characters that are valid in UTF-8, and a file in
 * UTF-8 with some broken bytes, read as Windows-1252, would lose every accent without an error.
 * @throws NotCsv if the file is of another format
 */
export async function detectEncoding(path: string): Promise<DetectedEncoding> {
  const start = await bytesAt(path, 0, FORMAT_BYTES);
  const format = formatOf(start, await bytesAt(path, -FORMAT_BYTES, FORMAT_BYTES));
  if (format !== undefined) throw new NotCsv(format);
  const marked = BYTE_ORDER_MARKS.find(([, mark]) => start.subarray(0, mark.length).equals(mark))?.[0];
  const expected = marked ?? 'utf-8';
  if (await isValid(expected, path)) return { encoding: expected, isDamaged: false };
  const { valid, invalid } = await countCharacters(expected, path);
  if (marked !== undefined || invalid <= valid) return { encoding: expected, isDamaged: true };
  const others = await countCharacters('windows-1252', path);
  return { encoding: 'windows-1252', isDamaged: others.invalid > 0 };
}

/** The text in the first `length` bytes of a file. */
export async function firstText(path: string, encoding: Encoding, length: number): Promise<string> {
  return iconv.decode(await bytesAt(path, 0, length), encoding);
}

/** Returns a stream that decodes text, with the replacement character for what is not valid. */
export function decoderStream(encoding: Encoding): Transform {
  const { write, end } = decoderOf(encoding);
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => done(null, write(chunk)),
    flush: (done) => done(null, end()),
  });
}

/** Decodes text in parts. */
interface PartDecoder {
  readonly write: (part: Buffer) => string;
  readonly end: () => string;
}

/** The decoder of Node.js splits no pair of surrogates; for Windows-1252, some versions of it are those of ISO 8859-1. */
function decoderOf(encoding: Encoding): PartDecoder {
  if (encoding === 'windows-1252') {
    const decoder = iconv.getDecoder(encoding);
    return { write: (part) => decoder.write(part), end: () => decoder.end() ?? '' };
  }
  const decoder = new TextDecoder(encoding);
  return { write: (part) => decoder.decode(part, { stream: true }), end: () => decoder.decode() };
}

/** @param position from the end of the file if it is negative */
async function bytesAt(path: string, position: number, length: number): Promise<Buffer> {
  const file = await open(path);
  try {
    const from = position < 0 ? Math.max(0, (await file.stat()).size + position) : position;
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/**
 * Whether the whole file is valid in the encoding. It reads all of it, because the first character beyond ASCII may be in
 * the last line.
 * @throws NotCsv if the file is binary
 */
async function isValid(encoding: Encoding, path: string): Promise<boolean> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const chunks: AsyncIterable<Buffer> = createReadStream(path);
  try {
    for await (const chunk of chunks) assertText(decoder.decode(chunk, { stream: true }));
    decoder.decode();
    return true;
  } catch (error) {
    if (isMalformedText(error)) return false;
    throw error;
  }
}

function isMalformedText(error: unknown): boolean {
  return (
    typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA'
  );
}

/** Characters beyond ASCII, in UTF-16 units. */
interface CharacterCounts {
  valid: number;
  invalid: number;
}

/** Counts the characters beyond ASCII in the whole file. @throws NotCsv if the file is binary */
async function countCharacters(encoding: Encoding, path: string): Promise<CharacterCounts> {
  const counts = { valid: 0, invalid: 0 };
  const decoder = decoderOf(encoding);
  const chunks: AsyncIterable<Buffer> = createReadStream(path);
  for await (const chunk of chunks) countIn(decoder.write(chunk), counts);
  countIn(decoder.end(), counts);
  return counts;
}

const LAST_OF_ASCII = 0x7f;
const REPLACEMENT = REPLACEMENT_CHARACTER.charCodeAt(0);

function countIn(text: string, counts: CharacterCounts): void {
  assertText(text);
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === REPLACEMENT) counts.invalid += 1;
    else if (code > LAST_OF_ASCII) counts.valid += 1;
  }
}

/** NUL characters show that a file is binary, such as an image. */
function assertText(text: string): void {
  if (text.includes('\0')) throw new NotCsv('The file is binary, not a CSV.');
}
