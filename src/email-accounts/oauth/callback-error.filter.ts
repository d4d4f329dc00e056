import { languageOf, MESSAGE_PAGE_HEADERS } from '@outreach/html-pages';
import { connectionPage } from '@outreach/link-pages';
import { Catch } from '@nestjs/common';
import type { Request } from 'express';
import { type ErrorPage, ErrorPageFilter } from '../../platform/pages/index.js';

/** Shows errors of a callback as pages in the language of the browser. */
@Catch()
export class CallbackErrorFilter extends ErrorPageFilter {
  protected page(_status: number, request: Request): ErrorPage {
    return { headers: MESSAGE_PAGE_HEADERS, html: connectionPage(languageOf(request), 'later') };
  }
}
