import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ThumbnailScheme } from '@outreach/gallery-pages';
import { NotFound } from '@outreach/http-errors';
import type { CatalogueTemplate } from '../publishing/read-catalogue.js';
import { previewDocument } from './preview-document.js';
import { THUMBNAIL_SOURCES } from './thumbnail-manifest.js';

/** The folder of the images. They and their manifest are written by `npm run generate:thumbnails`. */
export const THUMBNAIL_FOLDER = fileURLToPath(new URL('./thumbnails', import.meta.url));

/** What a thumbnail was drawn from: SHA-256 of the template's body, and of the document that shows it. */
export interface ThumbnailSource {
  readonly body: string;
  readonly document: string;
}

/** The headers of an image. Its URL contains the hash of its content, so that it never changes. */
export const THUMBNAIL_HEADERS = {
  'Cache-Control': 'public, max-age=31536000, immutable',
  'Content-Security-Policy': `default-src 'none'; sandbox`,
  'Content-Type': 'image/webp',
  'X-Content-Type-Options': 'nosniff',
};

const VERSION_LENGTH = 12;
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Returns what the thumbnail of a template must be drawn from. */
export const thumbnailSource = (template: CatalogueTemplate): ThumbnailSource => ({
  body: sha256(template.body),
  document: sha256(previewDocument(template)),
});

/** Returns the name of an image in {@link THUMBNAIL_FOLDER}. */
export const thumbnailFile = (slug: string, scheme: ThumbnailScheme): string => `${slug}-${scheme}.webp`;

/** The name of an image in its URL, and the parts that {@link Thumbnails.read} finds it by. */
const PUBLIC_NAME = /^([a-z0-9-]{1,100})-(light|dark)\.([0-9a-f]{12})\.webp$/;

/** The images of the shipped templates that have a layout. */
export class Thumbnails {
  readonly #sources = new Map<string, ThumbnailSource>(Object.entries(THUMBNAIL_SOURCES));

  /**
   * Returns the names of the images in their URLs, or undefined if there are none of this body: the template of an
   * operator may have the slug of a shipped one.
   */
  namesOf(slug: string, bodyHash: string | null): Readonly<Record<ThumbnailScheme, string>> | undefined {
    const source = this.#sources.get(slug);
    if (!source || source.body !== bodyHash) return undefined;
    const name = (scheme: ThumbnailScheme): string => `${slug}-${scheme}.${versionOf(source)}.webp`;
    return { light: name('light'), dark: name('dark') };
  }

  /** Returns an image by its name in the URL. @throws NotFound */
  async read(name: string): Promise<Buffer> {
    const [, slug = '', scheme, version] = PUBLIC_NAME.exec(name) ?? [];
    const source = this.#sources.get(slug);
    if (!source || versionOf(source) !== version) throw new NotFound();
    return readFile(join(THUMBNAIL_FOLDER, thumbnailFile(slug, scheme === 'dark' ? 'dark' : 'light')));
  }
}

const versionOf = ({ document }: ThumbnailSource): string => document.slice(0, VERSION_LENGTH);
