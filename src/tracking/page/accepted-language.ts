import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { CAMPAIGN_LANGUAGES, type CampaignLanguage } from '../../campaigns/index.js';

/** Returns the language of the pages for recipients that `Accept-Language` prefers (RFC 9110, 12.5.4), if it names one. */
export function acceptedLanguage(request: Request): CampaignLanguage | undefined {
  // Express returns the first language for a field that accepts any.
  if (!/[a-z]/i.test(request.headers['accept-language'] ?? '')) return undefined;
  const preferred = request.acceptsLanguages([...CAMPAIGN_LANGUAGES]);
  return CAMPAIGN_LANGUAGES.find((language) => language === preferred);
}

/** Parameter decorator: the language that the request's `Accept-Language` names. */
export const AcceptedLanguage = createParamDecorator((_: unknown, context: ExecutionContext) =>
  acceptedLanguage(context.switchToHttp().getRequest<Request>()),
);
