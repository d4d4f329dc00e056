import { Controller, createParamDecorator, type ExecutionContext, Get, Res, UseFilters } from '@nestjs/common';
import type { Request, Response } from 'express';
import { PublicRoute, RespondsStream, Summary } from '../../platform/http/index.js';
import { type Language, PreferredLanguage } from '../../platform/pages/index.js';
import { CallbackErrorFilter } from './callback-error.filter.js';
import { respondWith } from './callback.pages.js';
import { MailboxConnection } from './mailbox-connection.service.js';

/**
 * Parameter decorator: the query of the request. Of a parameter that is there several times, the first counts. Null for
 * HEAD, with which programs check a link before a person follows it: it must not use the state up.
 */
const FromCallback = createParamDecorator((_: unknown, context: ExecutionContext): URLSearchParams | null => {
  const { method, url } = context.switchToHttp().getRequest<Request>();
  if (method === 'HEAD') return null;
  return new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?') + 1) : '');
});

/** To which the providers send the browser when the owner of a mailbox has decided (API v1, "Connecting"). */
@Controller('oauth')
@PublicRoute()
@UseFilters(CallbackErrorFilter)
export class OauthCallbackController {
  constructor(private readonly connection: MailboxConnection) {}

  /**
   * Google sends the browser here. It goes on to `redirect_to`, or a page shows whether the mailbox is connected: 400 if
   * it is not.
   */
  @Get('google/callback')
  @Summary('Connect the Gmail account to which access was given', 'completeGoogleConnection')
  @RespondsStream('text/html')
  async google(
    @FromCallback() parameters: URLSearchParams | null,
    @PreferredLanguage() language: Language,
    @Res({ passthrough: true }) response: Response,
  ) {
    return parameters && respondWith(response, language, await this.connection.finish('google', parameters));
  }

  /**
   * Microsoft sends the browser here. It goes on to `redirect_to`, or a page shows whether the mailbox is connected: 400
   * if it is not.
   */
  @Get('microsoft/callback')
  @Summary('Connect the Microsoft 365 account to which access was given', 'completeMicrosoftConnection')
  @RespondsStream('text/html')
  async microsoft(
    @FromCallback() parameters: URLSearchParams | null,
    @PreferredLanguage() language: Language,
    @Res({ passthrough: true }) response: Response,
  ) {
    return parameters && respondWith(response, language, await this.connection.finish('microsoft', parameters));
  }
}
