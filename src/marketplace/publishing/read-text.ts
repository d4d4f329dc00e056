import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import type { FileError } from './invalid-catalogue.js';

// A byte order mark is left out.
const UTF8 = new TextDecoder();

/** The text of a UTF-8 file, or what keeps it from being read as one. */
export async function readText(path: string): Promise<string | FileError> {
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (error) {
    return { line: 1, reason: error instanceof Error ? error.message : String(error) };
  }
  // No byte of a longer UTF-8 sequence is that of a line break, nor is it NUL.
  const lines = bytes.toString('latin1').split('\n');
  const broken = lines.findIndex((line) => !isUtf8(Buffer.from(line, 'latin1')));
  if (broken >= 0) return { line: broken + 1, reason: 'the text must be encoded as UTF-8' };
  const binary = lines.findIndex((line) => line.includes('\0'));
  if (binary >= 0) return { line: binary + 1, reason: 'the text must not contain NUL characters' };
  return UTF8.decode(bytes);
}
