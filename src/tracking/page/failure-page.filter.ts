import { MESSAGE_PAGE_HEADERS } from '@outreach/html-pages';
import { failurePage } from '@outreach/link-pages';
import { Catch } from '@nestjs/common';
import type { Request } from 'express';
import { CAMPAIGN_LANGUAGES } from '../../campaigns/index.js';
import { type ErrorPage, ErrorPageFilter } from '../../platform/pages/index.js';
import { acceptedLanguage } from './accepted-language.js';

/** Shows errors to recipients as pages in their language. */
@Catch()
export class FailurePageFilter extends ErrorPageFilter {
  protected page(status: number, request: Request): ErrorPage {
    const language = acceptedLanguage(request) ?? CAMPAIGN_LANGUAGES[0];
    return { headers: MESSAGE_PAGE_HEADERS, html: failurePage(language, status === 404) };
  }
}
