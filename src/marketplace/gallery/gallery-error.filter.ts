import { Catch, Inject } from '@nestjs/common';
import type { Request } from 'express';
import { Log } from '@outreach/logging';
import { CONFIG, type Config } from '../../platform/config/index.js';
import { type ErrorPage, ErrorPageFilter, html } from '../../platform/pages/index.js';
import { GalleryUrls } from './gallery-urls.js';
import { ERROR_HEADERS, galleryPage } from './gallery-page.js';
import { backLink } from './components.js';
import { galleryParamsOf } from './gallery-params.js';
import { GALLERY_MESSAGES } from './messages.js';

/** Responds to errors in the gallery with an HTML page. */
@Catch()
export class GalleryErrorFilter extends ErrorPageFilter {
  constructor(
    log: Log,
    @Inject(CONFIG) private readonly config: Pick<Config, 'public_url'>,
  ) {
    super(log);
  }

  protected page(status: number, request: Request): ErrorPage {
    const params = galleryParamsOf(request);
    const messages = GALLERY_MESSAGES[params.language];
    const [title, text] =
      status === 404 ? [messages.notFound, messages.notFoundText] : [messages.failed, messages.failedText];
    const urls = new GalleryUrls(this.config.public_url, params);
    const content = html`<div class="intro">
      <h1>${title}</h1>
      <p class="lead">${text}</p>
      ${backLink(urls, messages)}
    </div>`;
    return { headers: ERROR_HEADERS, html: galleryPage({ params, urls, messages }, { title, content }) };
  }
}
