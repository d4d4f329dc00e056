import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../platform/config/index.js';
import { NotFound } from '../../platform/errors/index.js';
import { PublishedRecords } from '../published-records.cross-tenant.js';
import { SLUG } from '../slug.js';
import { GalleryUrls } from './gallery-urls.js';
import type { PageContext } from './gallery-page.js';
import { indexPage } from './index-page.js';
import { packPage } from './pack-page.js';
import { previewDocument } from './preview-document.js';
import { GalleryQueries } from './gallery-queries.cross-tenant.js';
import { templatePage } from './template-page.js';
import type { GalleryParams } from './gallery-params.js';

/** The pages of the gallery, as HTML. */
@Injectable()
export class GalleryService {
  constructor(
    private readonly galleryQueries: GalleryQueries,
    private readonly publishedRecords: PublishedRecords,
    @Inject(CONFIG) private readonly config: Pick<Config, 'public_url'>,
  ) {}

  async index(params: GalleryParams): Promise<string> {
    const [packs, templates] = await Promise.all([
      // A pack has no category.
      params.category ? [] : this.galleryQueries.packs(params),
      this.galleryQueries.templates(params),
    ]);
    return indexPage(this.pageContext(params), { packs, templates });
  }

  /** @throws NotFound */
  async pack(params: GalleryParams, slug: string): Promise<string> {
    return packPage(this.pageContext(params), await this.publishedRecords.pack(bySlug(slug)));
  }

  /** @throws NotFound */
  async template(params: GalleryParams, slug: string): Promise<string> {
    return templatePage(this.pageContext(params), await this.publishedRecords.template(bySlug(slug)));
  }

  /** Returns the rendered body alone, for a frame. @throws NotFound, RenderedTooLong */
  async preview(slug: string): Promise<string> {
    return previewDocument(await this.publishedRecords.template(bySlug(slug)));
  }

  private pageContext(params: GalleryParams): PageContext {
    return { params, urls: new GalleryUrls(this.config.public_url, params) };
  }
}

/** @throws NotFound if the text cannot be a slug, for example because it contains characters that PostgreSQL rejects */
function bySlug(slug: string): { readonly slug: string } {
  if (!SLUG.test(slug)) throw new NotFound();
  return { slug };
}
