import { type Language, languageOf } from '@outreach/html-pages';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';

/** Parameter decorator: the language of the request's `Accept-Language`. */
export const PreferredLanguage = createParamDecorator((_: unknown, context: ExecutionContext): Language =>
  languageOf(context.switchToHttp().getRequest<Request>()),
);
