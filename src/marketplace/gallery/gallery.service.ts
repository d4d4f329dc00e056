import { Inject, Injectable, StreamableFile } from '@nestjs/common';
import { NotFound } from '@outreach/http-errors';
import { CONFIG, type Config } from '../../platform/config/index.js';
import { PublishedRecords } from '../published-records.cross-tenant.js';
import { SLUG } from '../slug.js';
import type { ListedTemplate } from './cards.js';
import { GalleryQueries, type GalleryList, type GalleryTemplate, type Range } from './gallery-queries.cross-tenant.js';
import type { GalleryParams } from './gallery-params.js';
import type { PageContext } from './gallery-page.js';
import { GalleryUrls } from './gallery-urls.js';
import { indexPage } from './index-page.js';
import { listPage, PAGE_SIZE, countResults } from './list-page.js';
import { GALLERY_MESSAGES } from './messages.js';
import { packPage } from './pack-page.js';
import { previewDocument } from './preview-document.js';
import { templatePage } from './template-page.js';
import { TemplateTexts } from './template-texts.js';
import { Thumbnails } from './thumbnails.js';

/** The number of records on the start page: two rows of each kind on a wide screen. */
const OVERVIEW = { designed: 8, plain: 6, pack: 3 };

/** The pages of the gallery, as HTML. */
@Injectable()
export class GalleryService {
  private readonly thumbnails = new Thumbnails();
  private readonly texts = new TemplateTexts();

  constructor(
    private readonly galleryQueries: GalleryQueries,
    private readonly publishedRecords: PublishedRecords,
    @Inject(CONFIG) private readonly config: Pick<Config, 'public_url'>,
  ) {}

  /** Returns the start page, or a list if there is a filter. */
  async index(params: GalleryParams): Promise<string> {
    const { kind, category, search } = params;
    return kind === undefined && category === undefined && search === undefined
      ? this.overview(params)
      : this.list(params);
  }

  /** @throws NotFound */
  async pack(params: GalleryParams, slug: string): Promise<string> {
    return packPage(this.pageContext(params), await this.publishedRecords.pack(bySlug(slug)));
  }

  /** @throws NotFound */
  async template(params: GalleryParams, slug: string): Promise<string> {
    const template = await this.publishedRecords.template(bySlug(slug));
    return templatePage(this.pageContext(params), { template, text: await this.texts.source(template) });
  }

  /** Returns the rendered body alone, for a frame. @throws NotFound, RenderedTooLong */
  async preview(slug: string): Promise<string> {
    return previewDocument(await this.publishedRecords.template(bySlug(slug)));
  }

  /** @throws NotFound */
  async thumbnail(name: string): Promise<StreamableFile> {
    const image = await this.thumbnails.read(name);
    return new StreamableFile(image, { type: 'image/webp', length: image.length });
  }

  private async overview(params: GalleryParams): Promise<string> {
    const [counts, designed, plain, packs] = await Promise.all([
      this.galleryQueries.counts(params),
      this.templates({ ...params, kind: 'designed' }, { limit: OVERVIEW.designed }),
      this.templates({ ...params, kind: 'plain' }, { limit: OVERVIEW.plain }),
      this.galleryQueries.packs(params, { limit: OVERVIEW.pack }),
    ]);
    return indexPage(this.pageContext(params), { counts, designed, plain, packs });
  }

  /** Templates come first, then packs. A page after the last one is the last one. */
  private async list(params: GalleryParams): Promise<string> {
    const counts = await this.galleryQueries.counts(params);
    const total = countResults(params, counts);
    const page = Math.min(params.page, Math.max(1, Math.ceil(total / PAGE_SIZE)));
    const offset = (page - 1) * PAGE_SIZE;
    const templates = params.kind === 'pack' ? [] : await this.templates(params, { limit: PAGE_SIZE, offset });
    const others = total - counts.pack;
    const packs =
      params.kind === 'designed' || params.kind === 'plain' || params.category !== undefined
        ? []
        : await this.galleryQueries.packs(params, {
            limit: PAGE_SIZE - templates.length,
            offset: Math.max(0, offset - others),
          });
    const elsewhere = total > 0 ? 0 : await this.elsewhere(params);
    return listPage(this.pageContext({ ...params, page }), { counts, templates, packs, elsewhere });
  }

  /** The number of results in the other language. */
  private async elsewhere(params: GalleryParams): Promise<number> {
    const language = params.language === 'en' ? 'fr' : 'en';
    return countResults(params, await this.galleryQueries.counts({ ...params, language }));
  }

  private async templates(list: GalleryList, range: Range): Promise<ListedTemplate[]> {
    const templates = await this.galleryQueries.templates(list, range);
    return Promise.all(templates.map((template) => this.listed(template)));
  }

  private async listed(template: GalleryTemplate): Promise<ListedTemplate> {
    const { slug, body_hash: hash } = template;
    return {
      ...template,
      thumbnails: this.thumbnails.namesOf(slug, hash),
      excerpt: await this.texts.excerpt(template),
    };
  }

  private pageContext(params: GalleryParams): PageContext {
    return {
      params,
      urls: new GalleryUrls(this.config.public_url, params),
      messages: GALLERY_MESSAGES[params.language],
    };
  }
}

/** @throws NotFound if the text cannot be a slug, for example because it contains characters that PostgreSQL rejects */
function bySlug(slug: string): { readonly slug: string } {
  if (!SLUG.test(slug)) throw new NotFound();
  return { slug };
}
