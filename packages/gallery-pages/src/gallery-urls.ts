import type { Language } from '@outreach/html-pages';
import type { GalleryFilter, GalleryParams } from './gallery-params.js';

/** The path of the gallery below the public URL of the service. */
export const GALLERY_PATH = 'marketplace';

/** A list, and the number of one of its pages. */
export interface ListPage extends GalleryFilter {
  readonly page?: number;
}

/** The URLs in a page: links to other pages, in the chosen language if there is one, and calls of the API. */
export class GalleryUrls {
  readonly #gallery: string;

  /** @param publicUrl the address of the service; it may have a path */
  constructor(
    private readonly publicUrl: string,
    private readonly params: Pick<GalleryParams, 'chosenLanguage'>,
  ) {
    this.#gallery = `${new URL(publicUrl).pathname.replace(/\/$/, '')}/${GALLERY_PATH}`;
  }

  index = (list: ListPage = {}): string => this.#gallery + listQuery(this.params.chosenLanguage, list);

  /** The address that the search form submits to; its fields become the query. */
  get search(): string {
    return this.#gallery;
  }

  pack = (slug: string): string => `${this.#gallery}/packs/${slug}${query({ lang: this.params.chosenLanguage })}`;

  template = (slug: string): string =>
    `${this.#gallery}/templates/${slug}${query({ lang: this.params.chosenLanguage })}`;

  /** The rendered body alone, which has no language parameter: its language is that of the template. */
  preview = (slug: string): string => `${this.#gallery}/templates/${slug}/preview`;

  thumbnail = (file: string): string => `${this.#gallery}/thumbnails/${file}`;

  packCopy = (id: number): string => `${this.publicUrl}/v1/marketplace/packs/${id}/copy`;

  get settings(): string {
    return `${this.publicUrl}/v1/settings`;
  }

  templateCopy = (id: number): string => `${this.publicUrl}/v1/marketplace/templates/${id}/copy`;
}

/** The same page in another language, as a URL relative to the page. A search stays in its language. */
export const inLanguage = (language: Language, { kind, category }: GalleryFilter): string =>
  query({ lang: language, kind, category });

/** The results of the same list in another language. */
export const listInLanguage = (language: Language, list: GalleryFilter): string => listQuery(language, list);

const listQuery = (lang: Language | undefined, { kind, category, search, page = 1 }: ListPage): string =>
  query({ lang, kind, category, search, page: page > 1 ? String(page) : undefined });

function query(parameters: Readonly<Record<string, string | undefined>>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) search.set(name, value);
  return search.size === 0 ? '' : `?${search.toString()}`;
}
