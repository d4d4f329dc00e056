import { Catch, Inject } from '@nestjs/common';
import type { Request } from 'express';
import { CONFIG, type Config } from '../../platform/config/index.js';
import { Log } from '../../platform/logging/index.js';
import { type FailurePage, FailurePages, html } from '../../platform/pages/index.js';
import { Addresses } from './addresses.js';
import { FAILURE_HEADERS, galleryPage } from './gallery-page.js';
import { wayBack } from './pieces.js';
import { visitOf } from './visit.js';
import { WORDS } from './words.js';

/** Answers errors to who looks at the gallery: as one of its pages. */
@Catch()
export class GalleryFailureFilter extends FailurePages {
  constructor(
    log: Log,
    @Inject(CONFIG) private readonly config: Pick<Config, 'public_url'>,
  ) {
    super(log);
  }

  protected page(status: number, request: Request): FailurePage {
    const visit = visitOf(request);
    const words = WORDS[visit.language];
    const [title, text] = status === 404 ? [words.notFound, words.notFoundText] : [words.failed, words.failedText];
    const to = new Addresses(this.config.public_url, visit);
    const content = html`<div class="intro">
      <h1>${title}</h1>
      <p class="lead">${text}</p>
      ${wayBack(to, words)}
    </div>`;
    return { headers: FAILURE_HEADERS, text: galleryPage({ visit, to, title, content }) };
  }
}
