import type { Language } from '../../platform/pages/index.js';
import type { GalleryFilter, GalleryParams } from './gallery-params.js';

/** The path of the gallery below the public URL of the service. */
export const GALLERY_PATH = 'marketplace';

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

  index = ({ category, locale }: GalleryFilter = {}): string =>
    this.#gallery + query({ lang: this.params.chosenLanguage, category, locale });

  pack = (slug: string): string => `${this.#gallery}/packs/${slug}${query({ lang: this.params.chosenLanguage })}`;

  template = (slug: string): string =>
    `${this.#gallery}/templates/${slug}${query({ lang: this.params.chosenLanguage })}`;

  /** The rendered body alone, which has no language parameter: its language is that of the template. */
  preview = (slug: string): string => `${this.#gallery}/templates/${slug}/preview`;

  packCopy = (id: number): string => `${this.publicUrl}/v1/marketplace/packs/${id}/copy`;

  templateCopy = (id: number): string => `${this.publicUrl}/v1/marketplace/templates/${id}/copy`;
}

/** The same page in another language, as a URL relative to the page. */
export const inLanguage = (language: Language, { category, locale }: GalleryFilter): string =>
  query({ lang: language, category, locale });

function query(parameters: Readonly<Record<string, string | undefined>>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) search.set(name, value);
  return search.size === 0 ? '' : `?${search.toString()}`;
}
