import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import type { FileError } from './invalid-catalogue.js';

// A TextDecoder removes the byte order mark.
const UTF8 = new TextDecoder();

/** Returns the text of a UTF-8 file, or the error if the file cannot be read or is not UTF-8. */
export async function readText(path: string): Promise<string | FileError> {
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (error) {
    return { line: 1, reason: error instanceof Error ? error.message : String(error) };
  }
  // In a multi-byte UTF-8 sequence, no byte equals a line break or NUL, so the file can be split into lines first.
  const lines = bytes.toString('latin1').split('\n');
  const broken = lines.findIndex((line) => !isUtf8(Buffer.from(line, 'latin1')));
  if (broken >= 0) return { line: broken + 1, reason: 'the text must be encoded as UTF-8' };
  const binary = lines.findIndex((line) => line.includes('\0'));
  if (binary >= 0) return { line: binary + 1, reason: 'the text must not contain NUL characters' };
  return UTF8.decode(bytes);
}
