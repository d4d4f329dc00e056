// What the API reference says to people: doc comments of the code, and the files of this folder.
import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { docComments } from './doc-comments.mjs';

/** @returns {Promise<import('../../src/platform/http/index.js').ReferenceTexts>} */
export async function referenceTexts() {
  const [{ tags, fields, parameters }, examples] = await Promise.all(['texts', 'examples'].map(read));
  return { ...docComments(), tags, fields, parameters, examples };
}

const read = async (name) => parse(await readFile(new URL(`${name}.yaml`, import.meta.url), 'utf8'));
