import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseTemplate } from '@outreach/template-language';
import { valueReader } from '../../templates/index.js';
import { isDocument, THUMBNAIL_SCHEMES, THUMBNAIL_SIZE } from '@outreach/gallery-pages';
import { type CatalogueTemplate, readCatalogue } from '../publishing/read-catalogue.js';
import { previewDocument } from './preview-document.js';
import { sampleValues } from './sample-values.js';
import { THUMBNAIL_SOURCES } from './thumbnail-manifest.js';
import { THUMBNAIL_FOLDER, thumbnailFile, thumbnailSource } from './thumbnails.js';

const MAX_BYTES = 20_000;

let templates: readonly CatalogueTemplate[];
let designed: readonly CatalogueTemplate[];
beforeAll(async () => {
  ({ templates } = await readCatalogue(join(import.meta.dirname, '../catalogue')));
  designed = templates.filter(({ body }) => isDocument(body));
});

describe('the thumbnails', () => {
  it('are drawn from the present HTML of every designed template; if not, run npm run generate:thumbnails', () => {
    expect(designed.length).toBeGreaterThan(10);
    expect(THUMBNAIL_SOURCES).toEqual(
      Object.fromEntries(designed.map((template) => [template.slug, thumbnailSource(template)])),
    );
  });

  it('are one small WebP image per template and colour scheme, of the size that pages declare', async () => {
    const names = designed.flatMap(({ slug }) => THUMBNAIL_SCHEMES.map((scheme) => thumbnailFile(slug, scheme)));
    expect((await readdir(THUMBNAIL_FOLDER)).sort()).toEqual(names.sort());
    for (const name of names) {
      const bytes = await readFile(join(THUMBNAIL_FOLDER, name));
      // The header of a lossy WebP image (RFC 9649, 2.5): width and height follow the start code of its frame.
      expect([name, bytes.toString('latin1', 8, 16), bytes.readUInt16LE(26), bytes.readUInt16LE(28)]).toEqual([
        name,
        'WEBPVP8 ',
        THUMBNAIL_SIZE.width,
        THUMBNAIL_SIZE.height,
      ]);
      expect(bytes.length).toBeLessThanOrEqual(MAX_BYTES);
    }
  });
});

describe('a preview of a shipped template', () => {
  it('has a sample value or a default for every variable except the addresses of links', () => {
    const missing = templates.flatMap(({ slug, locale, subject, body }) =>
      [subject, body]
        .flatMap((source) => parseTemplate(source).tokens)
        .flatMap((token) => (typeof token === 'string' || token.fallback !== '' ? [] : [token.name]))
        .filter((name) => !name.endsWith('_url') && valueOf(name, locale) === '')
        .map((name) => `${slug}: ${name}`),
    );
    expect(missing).toEqual([]);
  });

  it('names the sample person and company of its language', () => {
    const [english, french] = (['en', 'fr'] as const).map((locale) =>
      templates
        .filter((template) => template.locale === locale)
        .map(previewDocument)
        .join(),
    );
    expect(english).toContain('Emma');
    expect(english).not.toContain('Camille');
    expect(french).toContain('Camille');
    expect(french).not.toContain('Emma');
  });
});

const valueOf = (name: string, locale: CatalogueTemplate['locale']): string =>
  parseTemplate(`{{ ${name} }}`).renderSubject(valueReader(sampleValues(locale)));
