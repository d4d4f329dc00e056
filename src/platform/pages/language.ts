import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';

/** The languages of pages. The first one is the default. */
export const LANGUAGES = ['en', 'fr'] as const;
/** A language of pages. */
export type Language = (typeof LANGUAGES)[number];

/** Returns the supported language that `Accept-Language` prefers (RFC 9110, 12.5.4). */
export function languageOf(request: Pick<Request, 'acceptsLanguages'>): Language {
  const preferred = request.acceptsLanguages([...LANGUAGES]);
  return LANGUAGES.find((language) => language === preferred) ?? LANGUAGES[0];
}

/** Parameter decorator: the language of the request's `Accept-Language`. */
export const PreferredLanguage = createParamDecorator((_: unknown, context: ExecutionContext): Language =>
  languageOf(context.switchToHttp().getRequest<Request>()),
);
