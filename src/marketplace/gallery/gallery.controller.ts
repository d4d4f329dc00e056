import { Controller, Get, Param, UseFilters } from '@nestjs/common';
import { Summary } from '../../platform/http/index.js';
import { RespondsHtmlPage, RespondsPublicly } from '../../platform/pages/index.js';
import { GALLERY_PATH } from './gallery-urls.js';
import { GalleryErrorFilter } from './gallery-error.filter.js';
import { GALLERY_HEADERS } from './gallery-page.js';
import { GalleryService } from './gallery.service.js';
import { PREVIEW_HEADERS } from './preview-document.js';
import { type GalleryParams, FromQuery } from './gallery-params.js';
import { THUMBNAIL_HEADERS } from './thumbnails.js';

/** The HTML pages of the marketplace. They are public: no token is required. */
@Controller(GALLERY_PATH)
@UseFilters(GalleryErrorFilter)
export class GalleryController {
  constructor(private readonly gallery: GalleryService) {}

  @Get()
  @Summary('Show the packs and templates of the marketplace', 'showGallery')
  @RespondsHtmlPage(GALLERY_HEADERS)
  index(@FromQuery() params: GalleryParams) {
    return this.gallery.index(params);
  }

  @Get('packs/:slug')
  @Summary('Show a pack of the marketplace', 'showGalleryPack')
  @RespondsHtmlPage(GALLERY_HEADERS)
  pack(@FromQuery() params: GalleryParams, @Param('slug') slug: string) {
    return this.gallery.pack(params, slug);
  }

  @Get('templates/:slug')
  @Summary('Show a template of the marketplace', 'showGalleryTemplate')
  @RespondsHtmlPage(GALLERY_HEADERS)
  template(@FromQuery() params: GalleryParams, @Param('slug') slug: string) {
    return this.gallery.template(params, slug);
  }

  @Get('templates/:slug/preview')
  @Summary('Show the rendered body of a template of the marketplace alone', 'showGalleryPreview')
  @RespondsHtmlPage(PREVIEW_HEADERS)
  preview(@Param('slug') slug: string) {
    return this.gallery.preview(slug);
  }

  @Get('thumbnails/:name')
  @Summary('Return the picture of a template of the marketplace', 'getGalleryThumbnail')
  @RespondsPublicly('image/webp', THUMBNAIL_HEADERS)
  thumbnail(@Param('name') name: string) {
    return this.gallery.thumbnail(name);
  }
}
