import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { type Language, languageOf, LANGUAGES } from '../../platform/pages/index.js';
import { TEMPLATE_CATEGORIES, type TemplateCategory } from '../../templates/index.js';

/** The kinds of records: templates with a layout, templates that look like a letter, and packs. */
export const KINDS = ['designed', 'plain', 'pack'] as const;
export type Kind = (typeof KINDS)[number];

/** In code points. More of a search is ignored. */
export const MAX_SEARCH_LENGTH = 100;

/** The filter of a list. An absent field does not restrict the list. */
export interface GalleryFilter {
  readonly kind?: Kind | undefined;
  readonly category?: TemplateCategory | undefined;
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

/** Returns the parameters of a request. Without a language in the URL, `Accept-Language` decides. */
export function galleryParamsOf(request: Request): GalleryParams {
  const { lang, kind, category, search, page } = request.query;
  const chosenLanguage = LANGUAGES.find((language) => language === lang);
  const chosenKind = KINDS.find((each) => each === kind);
  return {
    language: chosenLanguage ?? languageOf(request),
    chosenLanguage,
    kind: chosenKind,
    // A pack has no category.
    category: chosenKind === 'pack' ? undefined : TEMPLATE_CATEGORIES.find((each) => each === category),
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

/** The parameters of the request, for a controller. */
export const FromQuery = createParamDecorator((_: unknown, context: ExecutionContext): GalleryParams =>
  galleryParamsOf(context.switchToHttp().getRequest<Request>()),
);
