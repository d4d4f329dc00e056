import { ERROR_HEADERS, errorPage, pageContext } from '@outreach/gallery-pages';
import { Catch, Inject } from '@nestjs/common';
import type { Request } from 'express';
import { Log } from '@outreach/logging';
import { CONFIG, type Config } from '../../platform/config/index.js';
import { type ErrorPage, ErrorPageFilter } from '../../platform/pages/index.js';
import { galleryParamsOf } from './gallery-params.js';

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
    const context = pageContext(this.config.public_url, galleryParamsOf(request));
    return { headers: ERROR_HEADERS, html: errorPage(context, status === 404) };
  }
}
