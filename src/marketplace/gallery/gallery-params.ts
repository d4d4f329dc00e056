import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { type Language, languageOf, LANGUAGES } from '../../platform/pages/index.js';
import { TEMPLATE_CATEGORIES, type TemplateCategory } from '../../templates/index.js';
import { type Locale, LOCALES } from '../marketplace-record.js';

/** What is shown; all of it where nothing is said. */
export interface GalleryFilter {
  readonly category?: TemplateCategory | undefined;
  readonly locale?: Locale | undefined;
}

/** What the address of a page asks for. Whatever is wrong in it counts as not said. */
export interface GalleryParams extends GalleryFilter {
  readonly language: Language;
  /** Where the address says it, rather than the browser: links lead to pages in that language then. */
  readonly chosenLanguage?: Language | undefined;
}

export function galleryParamsOf(request: Request): GalleryParams {
  const { lang, category, locale } = request.query;
  const chosenLanguage = LANGUAGES.find((language) => language === lang);
  return {
    language: chosenLanguage ?? languageOf(request),
    chosenLanguage,
    category: TEMPLATE_CATEGORIES.find((each) => each === category),
    locale: LOCALES.find((each) => each === locale),
  };
}

/** The visit that a request is. */
export const FromQuery = createParamDecorator((_: unknown, context: ExecutionContext): GalleryParams =>
  galleryParamsOf(context.switchToHttp().getRequest<Request>()),
);
