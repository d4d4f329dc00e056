import type { Language } from '@outreach/html-pages';
import { Controller, Get, Req, Res, UseFilters } from '@nestjs/common';
import type { Request, Response } from 'express';
import { PreferredLanguage } from '../../platform/pages/index.js';
import { Summary } from '@outreach/http-api/openapi';
import { RespondsStream } from '@outreach/http-api/responses';
import { PublicRoute } from '@outreach/http-api/routes';
import { BrowserCookie } from './browser-cookie.js';
import { CallbackErrorFilter } from './callback-error.filter.js';
import { respondWith } from './connection-responses.js';
import { MailboxConnection } from './mailbox-connection.service.js';
import type { OauthProvider } from '../providers/provider-names.js';
import { readQuery } from './read-query.js';

/** To which the providers send the browser when the owner of a mailbox has decided (API v1, "Connecting"). */
@Controller('oauth')
@PublicRoute()
@UseFilters(CallbackErrorFilter)
export class OauthCallbackController {
  constructor(
    private readonly connection: MailboxConnection,
    private readonly cookie: BrowserCookie,
  ) {}

  /**
   * Google sends the browser here. It goes on to `redirect_to`, or a page shows whether the mailbox is connected: 400 if
   * it is not.
   */
  @Get('google/callback')
  @Summary('Connect the Gmail account to which access was given', 'completeGoogleConnection')
  @RespondsStream('text/html')
  google(
    @Req() request: Request,
    @PreferredLanguage() language: Language,
    @Res({ passthrough: true }) response: Response,
  ) {
    return this.finish('google', request, response, language);
  }

  /**
   * Microsoft sends the browser here. It goes on to `redirect_to`, or a page shows whether the mailbox is connected: 400
   * if it is not.
   */
  @Get('microsoft/callback')
  @Summary('Connect the Microsoft 365 account to which access was given', 'completeMicrosoftConnection')
  @RespondsStream('text/html')
  microsoft(
    @Req() request: Request,
    @PreferredLanguage() language: Language,
    @Res({ passthrough: true }) response: Response,
  ) {
    return this.finish('microsoft', request, response, language);
  }

  /** Programs check a link with HEAD before a person follows it: that must not use the state up. */
  private async finish(provider: OauthProvider, request: Request, response: Response, language: Language) {
    if (request.method === 'HEAD') return null;
    const result = await this.connection.finish(provider, readQuery(request), this.cookie.get(request));
    return respondWith(response, language, result);
  }
}
