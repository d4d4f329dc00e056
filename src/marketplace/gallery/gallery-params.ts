import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { type Language, languageOf, LANGUAGES } from '../../platform/pages/index.js';
import { TEMPLATE_CATEGORIES, type TemplateCategory } from '../../templates/index.js';
import { type Locale, LOCALES } from '../marketplace-record.js';

/** The filter of the start page. An absent field does not restrict the list. */
export interface GalleryFilter {
  readonly category?: TemplateCategory | undefined;
  readonly locale?: Locale | undefined;
}

/** The parameters in the URL of a page. Invalid values are ignored. */
export interface GalleryParams extends GalleryFilter {
  readonly language: Language;
  /** The language in the URL, if there is one: links to other pages then contain it too. */
  readonly chosenLanguage?: Language | undefined;
}

/** Returns the parameters of a request. Without a language in the URL, `Accept-Language` decides. */
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

/** The parameters of the request, for a controller. */
export const FromQuery = createParamDecorator((_: unknown, context: ExecutionContext): GalleryParams =>
  galleryParamsOf(context.switchToHttp().getRequest<Request>()),
);
