// What the API reference says to people: doc comments of the code, and the files of this folder.
import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { docComments } from './doc-comments.mjs';

/** @returns {Promise<import('@outreach/http-api/openapi').ReferenceTexts>} */
export async function referenceTexts() {
  const [introduction, texts, examples] = await Promise.all([
    read('introduction.md'),
    read('texts.yaml').then((text) => parse(text)),
    read('examples.yaml').then((text) => parse(text, { merge: true })),
  ]);
  const comments = docComments();
  const enums = texts.enums.map(({ values, ...rest }) => ({ ...rest, values: values.map((value) => [value, '']) }));
  return { ...comments, ...texts, introduction, examples, enums: [...comments.enums, ...enums] };
}

const read = (name) => readFile(new URL(name, import.meta.url), 'utf8');
