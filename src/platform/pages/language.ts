import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';

/** The languages that pages speak; the first one where the reader's is none of them. */
export const LANGUAGES = ['en', 'fr'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The language that a reader likes best of ours, by `Accept-Language` (RFC 9110, 12.5.4). */
export function languageOf(request: Pick<Request, 'acceptsLanguages'>): Language {
  const preferred = request.acceptsLanguages([...LANGUAGES]);
  return LANGUAGES.find((language) => language === preferred) ?? LANGUAGES[0];
}

/** The language of whoever reads the page. */
export const PreferredLanguage = createParamDecorator((_: unknown, context: ExecutionContext): Language =>
  languageOf(context.switchToHttp().getRequest<Request>()),
);
