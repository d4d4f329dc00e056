import { MESSAGE_PAGE_HEADERS } from '@outreach/html-pages';
import {
  confirmationPage,
  pageThatLeadsTo,
  questionPage,
  trackingRefusedPage,
  withoutSender,
} from '@outreach/link-pages';
import { Controller, Get, HttpCode, Param, Post, Res, UseFilters } from '@nestjs/common';
import type { Response } from 'express';
import { UnreadBody, UnreadBodyParam } from '@outreach/http-api/body';
import { Summary } from '@outreach/http-api/openapi';
import type { CampaignLanguage } from '../../campaigns/index.js';
import { RespondsHtmlPage } from '../../platform/pages/index.js';
import { LinkHosts } from '../hosts/link-hosts.cross-tenant.js';
import { AcceptedLanguage } from '../page/accepted-language.js';
import { FailurePageFilter } from '../page/failure-page.filter.js';
import { readUnsubscribeForm } from './unsubscribe-form.js';
import { showTo } from './show-to.js';
import { UnsubscribeService } from './unsubscribe.service.js';

/** The target of the unsubscribe link of a message: a page for people, and the one-click target of RFC 8058. */
@Controller('u/:token')
@UseFilters(FailurePageFilter)
export class UnsubscribeController {
  constructor(
    private readonly unsubscribing: UnsubscribeService,
    private readonly hosts: LinkHosts,
  ) {}

  /**
   * A page with two buttons, in the language of the contact (custom field `language` or `locale`), else of the browser, else
   * of the campaign. It changes nothing. At a tracking domain that does not belong to the sender: 404, and the page leads to
   * the one of the service.
   */
  @Get()
  @Summary('Ask whether to unsubscribe the recipient of a message', 'askToUnsubscribe')
  @RespondsHtmlPage(MESSAGE_PAGE_HEADERS)
  async ask(
    @Param('token') token: string,
    @AcceptedLanguage() language: CampaignLanguage | undefined,
    @Res({ passthrough: true }) response: Response,
  ) {
    const recipient = await this.unsubscribing.recipient(token);
    if (await this.hosts.canServe(response.req.hostname, token))
      return showTo(response, questionPage, language, recipient);
    const page = pageThatLeadsTo(this.hosts.unsubscribeUrl(token));
    return showTo(response.status(404), page, language, withoutSender(recipient));
  }

  /**
   * Unsubscribes the recipient: the button of the page, and the one-click target of the header `List-Unsubscribe` (RFC
   * 8058). With `tracking=refuse` in the body, which the second button of the page sends, the recipient refuses the
   * measurement of opens and clicks instead. It works at every host: the message was sent, whoever owns its domain now.
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
    const [page, recipient] =
      request.kind === 'refuse tracking'
        ? [trackingRefusedPage, await this.unsubscribing.refuseTracking(token)]
        : [confirmationPage, await this.unsubscribing.unsubscribe(token, request.source)];
    const isServed = await this.hosts.canServe(response.req.hostname, token);
    return showTo(response, page, language, isServed ? recipient : withoutSender(recipient));
  }
}
