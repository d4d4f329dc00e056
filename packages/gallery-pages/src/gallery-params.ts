import { type Language, LANGUAGES } from '@outreach/html-pages';
import { CATEGORIES, type Category, type Kind, KINDS } from './records.js';

/** In code points. More of a search is ignored. */
export const MAX_SEARCH_LENGTH = 100;

/** The filter of a list. An absent field does not restrict the list. */
export interface GalleryFilter {
  readonly kind?: Kind | undefined;
  readonly category?: Category | undefined;
  readonly search?: string | undefined;
}

/** The parameters in the URL of a page. Invalid values are ignored. */
export interface GalleryParams extends GalleryFilter {
  /** The language of the page and of the records that it lists. */
  readonly language: Language;
  /** The language in the URL, if there is one: links to other pages then contain it too. */
  readonly chosenLanguage?: Language | undefined;
  readonly page: number;
}

/** Returns the parameters of a parsed query. Without a language in it, the preferred one decides. */
export function galleryParams(query: Readonly<Record<string, unknown>>, preferred: Language): GalleryParams {
  const { lang, kind, category, search, page } = query;
  const chosenLanguage = LANGUAGES.find((language) => language === lang);
  const chosenKind = KINDS.find((each) => each === kind);
  return {
    language: chosenLanguage ?? preferred,
    chosenLanguage,
    kind: chosenKind,
    // A pack has no category.
    category: chosenKind === 'pack' ? undefined : CATEGORIES.find((each) => each === category),
    search: searchOf(search),
    page: typeof page === 'string' && /^[1-9]\d{0,5}$/.test(page) ? Number(page) : 1,
  };
}

/** Returns a search without control characters, which PostgreSQL rejects, or undefined if nothing is left of it. */
function searchOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const words = value.replace(/[\p{Cc}\s]+/gu, ' ').trim();
  return Array.from(words).slice(0, MAX_SEARCH_LENGTH).join('').trim() || undefined;
}
