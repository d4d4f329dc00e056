import { Controller, Get, HttpCode, Param, Post, Res, UseFilters, UseGuards } from '@nestjs/common';
import type { Response } from 'express';
import type { CampaignLanguage } from '../../campaigns/index.js';
import { Summary, UnreadBody, UnreadBodyParam } from '../../platform/http/index.js';
import { MESSAGE_PAGE_HEADERS, RespondsHtmlPage } from '../../platform/pages/index.js';
import { LinkHostGuard } from '../hosts/link-host.guard.js';
import { AcceptedLanguage } from '../page/accepted-language.js';
import { FailurePageFilter } from '../page/failure-page.filter.js';
import { readUnsubscribeForm } from './unsubscribe-form.js';
import { confirmationPage, questionPage, showTo, trackingRefusedPage } from './unsubscribe.pages.js';
import { UnsubscribeService } from './unsubscribe.service.js';

/** The target of the unsubscribe link of a message: a page for people, and the one-click target of RFC 8058. */
@Controller('u/:token')
@UseFilters(FailurePageFilter)
@UseGuards(LinkHostGuard)
export class UnsubscribeController {
  constructor(private readonly unsubscribing: UnsubscribeService) {}

  /** A page with two buttons, in the language of the contact (custom field `language` or `locale`), else of the
   * browser, else of the campaign. It changes nothing. */
  @Get()
  @Summary('Ask whether to unsubscribe the recipient of a message', 'askToUnsubscribe')
  @RespondsHtmlPage(MESSAGE_PAGE_HEADERS)
  async ask(
    @Param('token') token: string,
    @AcceptedLanguage() language: CampaignLanguage | undefined,
    @Res({ passthrough: true }) response: Response,
  ) {
    return showTo(response, questionPage, language, await this.unsubscribing.recipient(token));
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
    @AcceptedLanguage() language: CampaignLanguage | undefined,
    @UnreadBodyParam() body: UnreadBody,
    @Res({ passthrough: true }) response: Response,
  ) {
    const request = await readUnsubscribeForm(body);
    return request.kind === 'refuse tracking'
      ? showTo(response, trackingRefusedPage, language, await this.unsubscribing.refuseTracking(token))
      : showTo(response, confirmationPage, language, await this.unsubscribing.unsubscribe(token, request.source));
  }
}
