import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import iconv from 'iconv-lite';
import { NotCsv } from './not-csv.js';

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

const BYTE_ORDER_MARKS: readonly (readonly [Encoding, Buffer])[] = [
  ['utf-8', Buffer.from([0xef, 0xbb, 0xbf])],
  ['utf-16le', Buffer.from([0xff, 0xfe])],
  ['utf-16be', Buffer.from([0xfe, 0xff])],
];

/**
 * The encoding of the file: that of its byte order mark; without one, UTF-8 if the whole file is valid UTF-8, else
 * Windows-1252.
 * @throws NotCsv if the file is binary, or not valid in the encoding of its byte order mark
 */
export async function detectEncoding(path: string): Promise<Encoding> {
  const marked = await markedEncoding(path);
  const candidates: readonly Encoding[] = marked ? [marked] : ['utf-8', 'windows-1252'];
  for (const encoding of candidates) {
    if (await isTextIn(encoding, path)) return encoding;
  }
  const name = marked?.toUpperCase();
  throw new NotCsv(`The file has the byte order mark of ${name} but is not valid ${name}.`);
}

/** The text in the first `length` bytes of a file. */
export async function firstText(path: string, encoding: Encoding, length: number): Promise<string> {
  return iconv.decode(await firstBytes(path, length), encoding);
}

async function markedEncoding(path: string): Promise<Encoding | undefined> {
  const start = await firstBytes(path, 3);
  return BYTE_ORDER_MARKS.find(([, mark]) => start.subarray(0, mark.length).equals(mark))?.[0];
}

/** How the files of spreadsheets begin: those of Excel since 2007 and of LibreOffice, and those of Excel before. */
const WORKBOOKS = [Buffer.from('504b0304', 'hex'), Buffer.from('d0cf11e0', 'hex')];

async function binaryFile(path: string): Promise<string> {
  const start = await firstBytes(path, 4);
  return WORKBOOKS.some((workbook) => start.equals(workbook))
    ? 'The file is a workbook of a spreadsheet, not a CSV. Save it as CSV (UTF-8).'
    : 'The file is binary, not a CSV.';
}

async function firstBytes(path: string, length: number): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/**
 * Whether the whole file is valid in the encoding. It reads all of it, because the first non-ASCII character may be in
 * the last line. NUL characters show that a file is binary, such as an image or a spreadsheet.
 */
async function isTextIn(encoding: Encoding, path: string): Promise<boolean> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const chunks: AsyncIterable<Buffer> = createReadStream(path);
  try {
    for await (const chunk of chunks) {
      if (decoder.decode(chunk, { stream: true }).includes('\0')) throw new NotCsv(await binaryFile(path));
    }
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
