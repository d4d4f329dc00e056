import type { Language } from '@outreach/html-pages';
import { Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { Request, Response } from 'express';
import { PreferredLanguage } from '../../platform/pages/index.js';
import { Summary } from '@outreach/http-api/openapi';
import { RespondsStream } from '@outreach/http-api/responses';
import { PublicRoute } from '@outreach/http-api/routes';
import { BrowserCookie } from './browser-cookie.js';
import { CallbackErrorFilter } from './callback-error.filter.js';
import { leadToProvider, showQuestion } from './connection-responses.js';
import { MailboxConnection } from './mailbox-connection.service.js';
import { readQuery } from './read-query.js';

/** The page before the provider: to which `authorization_url` leads (API v1, "Connecting"). */
@Controller('oauth/connect')
@PublicRoute()
@UseFilters(CallbackErrorFilter)
export class OauthConnectController {
  constructor(
    private readonly connection: MailboxConnection,
    private readonly cookie: BrowserCookie,
  ) {}

  /**
   * A page that names the workspace and what it will be able to do with the mailbox, with a button. If the connection has
   * ended or expired, the browser goes on to `redirect_to`, or a page says so: 400.
   */
  @Get()
  @Summary('Ask a person whether to connect a mailbox', 'askToConnectMailbox')
  @RespondsStream('text/html')
  async ask(
    @Req() request: Request,
    @PreferredLanguage() language: Language,
    @Res({ passthrough: true }) response: Response,
  ) {
    this.cookie.set(request, response);
    return showQuestion(response, language, await this.connection.ask(stateOf(request)));
  }

  /** The button of the page: sends the browser to the provider. Only this browser can return from there. */
  @Post()
  @Summary('Agree to connect a mailbox', 'agreeToConnectMailbox')
  @RespondsStream('text/html', { status: 303 })
  async agree(
    @Req() request: Request,
    @PreferredLanguage() language: Language,
    @Res({ passthrough: true }) response: Response,
  ) {
    const result = await this.connection.agree(stateOf(request), this.cookie.getForForm(request));
    return leadToProvider(response, language, result);
  }
}

const stateOf = (request: Request): string => readQuery(request).get('state') ?? '';
