import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { assertStorable, TemplateSyntaxError, TemplateTooLarge } from '@outreach/template-language';
import { InvalidCatalogue, type CatalogueError, type FileError } from './invalid-catalogue.js';
import { PackFile, TemplateFrontMatter } from './catalogue-file.dto.js';
import { readText } from './read-text.js';
import { readYamlRecord } from './yaml-record.js';

/** The content of a template file: front matter and HTML. */
export type CatalogueTemplate = TemplateFrontMatter & { readonly body: string };

/** A template in a pack file, and its position there. */
export interface TemplateReference {
  readonly slug: string;
  readonly file: string;
  readonly line: number;
}

export interface CataloguePack {
  readonly fields: PackFile;
  readonly parts: readonly TemplateReference[];
}

export interface Catalogue {
  readonly templates: readonly CatalogueTemplate[];
  readonly packs: readonly CataloguePack[];
}

interface CatalogueDraft {
  readonly templates: CatalogueTemplate[];
  readonly packs: CataloguePack[];
  readonly errors: CatalogueError[];
  /** The file of each slug. The keys are `template <slug>` and `pack <slug>`. */
  readonly slugs: Map<string, string>;
}

/**
 * Reads a folder and its sub-folders: `.html` files are templates, `.yaml` and `.yml` files are packs.
 * @throws InvalidCatalogue with file, line and reason of all errors
 */
export async function readCatalogue(folder: string): Promise<Catalogue> {
  const draft: CatalogueDraft = { templates: [], packs: [], errors: [], slugs: new Map() };
  for (const file of await filesIn(folder)) {
    const errors = await readInto(draft, file, await readText(join(folder, file)));
    draft.errors.push(...errors.map((error) => ({ file, ...error })));
  }
  if (draft.templates.length + draft.packs.length + draft.errors.length === 0) {
    draft.errors.push({ file: folder, line: 1, reason: 'the folder contains no .html and no .yaml files' });
  }
  if (draft.errors.length > 0) throw new InvalidCatalogue(draft.errors);
  return draft;
}

async function filesIn(folder: string): Promise<string[]> {
  let entries: Dirent[];
  try {
    entries = await readdir(folder, { recursive: true, withFileTypes: true });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new InvalidCatalogue([{ file: folder, line: 1, reason }]);
  }
  return entries
    .filter((entry) => !entry.isDirectory() && ['.html', '.yaml', '.yml'].includes(extname(entry.name)))
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).split(sep).join('/'))
    .sort();
}

async function readInto(draft: CatalogueDraft, file: string, text: string | FileError): Promise<readonly FileError[]> {
  if (typeof text !== 'string') return [text];
  return extname(file) === '.html' ? readTemplate(draft, file, text) : readPack(draft, file, text);
}

const FRONT_MATTER = /^---\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/;

async function readTemplate(draft: CatalogueDraft, file: string, source: string): Promise<readonly FileError[]> {
  const [head = '', yaml] = FRONT_MATTER.exec(source) ?? [];
  if (yaml === undefined) return [{ line: 1, reason: 'the file must begin with front matter between lines of "---"' }];
  const record = await readYamlRecord(TemplateFrontMatter, yaml, 2);
  if ('errors' in record) return record.errors;
  const html = source.slice(head.length);
  const body = html.trim();
  const bodyLine = source.slice(0, head.length + html.indexOf(body)).split('\n').length;
  const errors = [
    ...registerSlug(draft, { kind: 'template', slug: record.value.slug, file, line: record.lineOf('slug') }),
    ...bodyErrors(body, bodyLine),
  ];
  if (errors.length === 0) draft.templates.push(Object.assign(record.value, { body }));
  return errors;
}

async function readPack(draft: CatalogueDraft, file: string, source: string): Promise<readonly FileError[]> {
  const record = await readYamlRecord(PackFile, source, 1);
  if ('errors' in record) return record.errors;
  const { value: fields, lineOf } = record;
  const errors = registerSlug(draft, { kind: 'pack', slug: fields.slug, file, line: lineOf('slug') });
  const parts = fields.templates.map((slug, index) => ({ slug, file, line: lineOf(`templates.${index}`) }));
  if (errors.length === 0) draft.packs.push({ fields, parts });
  return errors;
}

/** The position in a file at which a template or a pack has its slug. */
interface SlugOwner extends TemplateReference {
  readonly kind: 'template' | 'pack';
}

function registerSlug({ slugs }: CatalogueDraft, { kind, slug, file, line }: SlugOwner): FileError[] {
  const owner = slugs.get(`${kind} ${slug}`);
  if (owner !== undefined) return [{ line, reason: `slug: ${slug} is already used in ${owner}` }];
  slugs.set(`${kind} ${slug}`, file);
  return [];
}

function bodyErrors(body: string, firstLine: number): FileError[] {
  if (body === '') return [{ line: firstLine, reason: 'there is no HTML after the front matter' }];
  try {
    assertStorable(body);
    return [];
  } catch (error) {
    if (error instanceof TemplateTooLarge) return [{ line: firstLine, reason: error.message }];
    if (!(error instanceof TemplateSyntaxError)) throw error;
    return [{ line: firstLine + error.line - 1, reason: `column ${error.column}: ${error.reason}` }];
  }
}
