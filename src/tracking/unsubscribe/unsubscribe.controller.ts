import { Controller, Get, HttpCode, Param, Post, Res, UseFilters } from '@nestjs/common';
import type { Response } from 'express';
import { Summary, UnreadBody, UnreadBodyParam } from '../../platform/http/index.js';
import {
  type Language,
  MESSAGE_PAGE_HEADERS,
  PreferredLanguage,
  RespondsHtmlPage,
} from '../../platform/pages/index.js';
import { FailurePageFilter } from '../page/failure-page.filter.js';
import { readUnsubscribeForm } from './unsubscribe-form.js';
import { confirmationPage, questionPage, showWithLogo, trackingRefusedPage } from './unsubscribe.pages.js';
import { UnsubscribeService } from './unsubscribe.service.js';

/** The target of the unsubscribe link of a message: a page for people, and the one-click target of RFC 8058. */
@Controller('u/:token')
@UseFilters(FailurePageFilter)
export class UnsubscribeController {
  constructor(private readonly unsubscribing: UnsubscribeService) {}

  /** A page with two buttons, in the language of the recipient. It changes nothing. */
  @Get()
  @Summary('Ask whether to unsubscribe the recipient of a message', 'askToUnsubscribe')
  @RespondsHtmlPage(MESSAGE_PAGE_HEADERS)
  async ask(
    @Param('token') token: string,
    @PreferredLanguage() language: Language,
    @Res({ passthrough: true }) response: Response,
  ) {
    return showWithLogo(response, questionPage, language, await this.unsubscribing.recipient(token));
  }

  /**
   * Unsubscribes the recipient: the button of the page, and the one-click target of the header `List-Unsubscribe` (RFC
   * 8058). With `tracking=refuse` in the body, which the second button of the page sends, the recipient refuses the
   * measurement of opens and clicks instead.
   */
  @Post()
  @HttpCode(200)
  @Summary('Unsubscribe the recipient of a message', 'unsubscribeRecipient')
  @RespondsHtmlPage(MESSAGE_PAGE_HEADERS)
  async unsubscribe(
    @Param('token') token: string,
    @PreferredLanguage() language: Language,
    @UnreadBodyParam() body: UnreadBody,
    @Res({ passthrough: true }) response: Response,
  ) {
    const request = await readUnsubscribeForm(body);
    return request.kind === 'refuse tracking'
      ? showWithLogo(response, trackingRefusedPage, language, await this.unsubscribing.refuseTracking(token))
      : showWithLogo(response, confirmationPage, language, await this.unsubscribing.unsubscribe(token, request.source));
  }
}
