import { Controller, Get, Param, UseFilters } from '@nestjs/common';
import { Summary } from '../../platform/http/index.js';
import { AnswersHtmlPage } from '../../platform/pages/index.js';
import { GALLERY_PATH } from './addresses.js';
import { GalleryFailureFilter } from './gallery-failure.filter.js';
import { GALLERY_HEADERS } from './gallery-page.js';
import { Gallery } from './gallery.service.js';
import { PREVIEW_HEADERS } from './preview.js';
import { type Visit, Visiting } from './visit.js';

/** The marketplace for people to look at: pages for anybody, without a token. */
@Controller(GALLERY_PATH)
@UseFilters(GalleryFailureFilter)
export class GalleryController {
  constructor(private readonly gallery: Gallery) {}

  @Get()
  @Summary('Show the packs and templates of the marketplace')
  @AnswersHtmlPage(GALLERY_HEADERS)
  index(@Visiting() visit: Visit) {
    return this.gallery.index(visit);
  }

  @Get('packs/:slug')
  @Summary('Show a pack of the marketplace')
  @AnswersHtmlPage(GALLERY_HEADERS)
  pack(@Visiting() visit: Visit, @Param('slug') slug: string) {
    return this.gallery.pack(visit, slug);
  }

  @Get('templates/:slug')
  @Summary('Show a template of the marketplace')
  @AnswersHtmlPage(GALLERY_HEADERS)
  template(@Visiting() visit: Visit, @Param('slug') slug: string) {
    return this.gallery.template(visit, slug);
  }

  @Get('templates/:slug/preview')
  @Summary('Show the rendered body of a template of the marketplace alone')
  @AnswersHtmlPage(PREVIEW_HEADERS)
  preview(@Param('slug') slug: string) {
    return this.gallery.preview(slug);
  }
}
