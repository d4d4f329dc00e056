import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { parseTemplate, TemplateSyntaxError } from '../../templates/index.js';
import { CatalogueBroken, type CatalogueFault, type FileFault } from './catalogue-broken.js';
import { PackFile, TemplateFrontMatter } from './catalogue-file.dto.js';
import { readText } from './read-text.js';
import { readYamlRecord } from './yaml-record.js';

/** A template as its file has it: front matter and HTML. */
export type CatalogueTemplate = TemplateFrontMatter & { readonly body: string };

/** The templates that a pack names, and where it names them. */
export interface NamedTemplate {
  readonly slug: string;
  readonly file: string;
  readonly line: number;
}

export interface CataloguePack {
  readonly fields: PackFile;
  readonly parts: readonly NamedTemplate[];
}

export interface Catalogue {
  readonly templates: readonly CatalogueTemplate[];
  readonly packs: readonly CataloguePack[];
}

interface Reading {
  readonly templates: CatalogueTemplate[];
  readonly packs: CataloguePack[];
  readonly faults: CatalogueFault[];
  /** The file that has a slug, by `template <slug>` and `pack <slug>`. */
  readonly slugs: Map<string, string>;
}

/**
 * Reads a folder and all folders in it: `.html` files are templates, `.yaml` and `.yml` files are packs.
 * @throws CatalogueBroken naming file, line and reason of everything that is wrong
 */
export async function readCatalogue(folder: string): Promise<Catalogue> {
  const reading: Reading = { templates: [], packs: [], faults: [], slugs: new Map() };
  for (const file of await filesIn(folder)) {
    const faults = await readInto(reading, file, await readText(join(folder, file)));
    reading.faults.push(...faults.map((fault) => ({ file, ...fault })));
  }
  if (reading.templates.length + reading.packs.length + reading.faults.length === 0) {
    reading.faults.push({ file: folder, line: 1, reason: 'there are no .html and no .yaml files in this folder' });
  }
  if (reading.faults.length > 0) throw new CatalogueBroken(reading.faults);
  return reading;
}

async function filesIn(folder: string): Promise<string[]> {
  let entries: Dirent[];
  try {
    entries = await readdir(folder, { recursive: true, withFileTypes: true });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CatalogueBroken([{ file: folder, line: 1, reason }]);
  }
  return entries
    .filter((entry) => !entry.isDirectory() && ['.html', '.yaml', '.yml'].includes(extname(entry.name)))
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)).split(sep).join('/'))
    .sort();
}

async function readInto(reading: Reading, file: string, text: string | FileFault): Promise<readonly FileFault[]> {
  if (typeof text !== 'string') return [text];
  return extname(file) === '.html' ? readTemplate(reading, file, text) : readPack(reading, file, text);
}

const FRONT_MATTER = /^---\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/;

async function readTemplate(reading: Reading, file: string, source: string): Promise<readonly FileFault[]> {
  const [head = '', yaml] = FRONT_MATTER.exec(source) ?? [];
  if (yaml === undefined) return [{ line: 1, reason: 'the file must begin with front matter between lines of "---"' }];
  const record = await readYamlRecord(TemplateFrontMatter, yaml, 2);
  if ('faults' in record) return record.faults;
  const html = source.slice(head.length);
  const body = html.trim();
  const bodyLine = source.slice(0, head.length + html.indexOf(body)).split('\n').length;
  const faults = [
    ...claimSlug(reading, { kind: 'template', slug: record.value.slug, file, line: record.lineOf('slug') }),
    ...bodyFaults(body, bodyLine),
  ];
  if (faults.length === 0) reading.templates.push(Object.assign(record.value, { body }));
  return faults;
}

async function readPack(reading: Reading, file: string, source: string): Promise<readonly FileFault[]> {
  const record = await readYamlRecord(PackFile, source, 1);
  if ('faults' in record) return record.faults;
  const { value: fields, lineOf } = record;
  const faults = claimSlug(reading, { kind: 'pack', slug: fields.slug, file, line: lineOf('slug') });
  const parts = fields.templates.map((slug, index) => ({ slug, file, line: lineOf(`templates.${index}`) }));
  if (faults.length === 0) reading.packs.push({ fields, parts });
  return faults;
}

/** The place in a file where a slug is given to a template or a pack. */
interface Claim extends NamedTemplate {
  readonly kind: 'template' | 'pack';
}

function claimSlug({ slugs }: Reading, { kind, slug, file, line }: Claim): FileFault[] {
  const owner = slugs.get(`${kind} ${slug}`);
  if (owner !== undefined) return [{ line, reason: `slug: ${slug} is that of ${owner} already` }];
  slugs.set(`${kind} ${slug}`, file);
  return [];
}

function bodyFaults(body: string, firstLine: number): FileFault[] {
  if (body === '') return [{ line: firstLine, reason: 'there is no HTML after the front matter' }];
  try {
    parseTemplate(body);
    return [];
  } catch (error) {
    if (!(error instanceof TemplateSyntaxError)) throw error;
    return [{ line: firstLine + error.line - 1, reason: `column ${error.column}: ${error.reason}` }];
  }
}
