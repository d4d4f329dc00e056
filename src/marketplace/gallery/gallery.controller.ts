import { GALLERY_HEADERS, GALLERY_PATH, type GalleryParams, PREVIEW_HEADERS } from '@outreach/gallery-pages';
import { Controller, Get, Param, UseFilters } from '@nestjs/common';
import { Summary } from '@outreach/http-api/openapi';
import { RespondsHtmlPage, RespondsPublicly } from '../../platform/pages/index.js';
import { GalleryErrorFilter } from './gallery-error.filter.js';
import { GalleryService } from './gallery.service.js';
import { FromQuery } from './gallery-params.js';
import { THUMBNAIL_HEADERS } from './thumbnails.js';

/** The HTML pages of the marketplace. They are public: no token is required. */
@Controller(GALLERY_PATH)
@UseFilters(GalleryErrorFilter)
export class GalleryController {
  constructor(private readonly gallery: GalleryService) {}

  /** A page for people, in English or French. */
  @Get()
  @Summary('Show the packs and templates of the marketplace', 'showGallery')
  @RespondsHtmlPage(GALLERY_HEADERS)
  index(@FromQuery() params: GalleryParams) {
    return this.gallery.index(params);
  }

  /** A page for people, in English or French. */
  @Get('packs/:slug')
  @Summary('Show a pack of the marketplace', 'showGalleryPack')
  @RespondsHtmlPage(GALLERY_HEADERS)
  pack(@FromQuery() params: GalleryParams, @Param('slug') slug: string) {
    return this.gallery.pack(params, slug);
  }

  /** A page for people, in English or French. */
  @Get('templates/:slug')
  @Summary('Show a template of the marketplace', 'showGalleryTemplate')
  @RespondsHtmlPage(GALLERY_HEADERS)
  template(@FromQuery() params: GalleryParams, @Param('slug') slug: string) {
    return this.gallery.template(params, slug);
  }

  /** The HTML of the template with samples, as the page of the template shows it in a frame. */
  @Get('templates/:slug/preview')
  @Summary('Show the rendered body of a template of the marketplace alone', 'showGalleryPreview')
  @RespondsHtmlPage(PREVIEW_HEADERS)
  preview(@Param('slug') slug: string) {
    return this.gallery.preview(slug);
  }

  /** The picture that the pages of the marketplace show, as WebP. */
  @Get('thumbnails/:name')
  @Summary('Return the picture of a template of the marketplace', 'getGalleryThumbnail')
  @RespondsPublicly('image/webp', THUMBNAIL_HEADERS)
  thumbnail(@Param('name') name: string) {
    return this.gallery.thumbnail(name);
  }
}
