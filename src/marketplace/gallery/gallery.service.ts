import { parseTemplate } from '@outreach/template-language';
import {
  countResults,
  type GalleryParams,
  indexPage,
  type ListedTemplate,
  listPage,
  packPage,
  PAGE_SIZE,
  type PageContext,
  pageContext,
  templatePage,
} from '@outreach/gallery-pages';
import { Inject, Injectable, StreamableFile } from '@nestjs/common';
import { NotFound } from '@outreach/http-errors';
import { CONFIG, type Config } from '../../platform/config/index.js';

import { PublishedRecords } from '../published-records.cross-tenant.js';
import { SLUG } from '../slug.js';
import { GalleryQueries, type GalleryList, type GalleryTemplate, type Range } from './gallery-queries.cross-tenant.js';
import { previewDocument, shown, subjectOf } from './preview-document.js';
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
    const pack = await this.publishedRecords.pack(bySlug(slug));
    return packPage(this.pageContext(params), { ...pack, templates: pack.templates.map(shown) });
  }

  /** @throws NotFound */
  async template(params: GalleryParams, slug: string): Promise<string> {
    const template = await this.publishedRecords.template(bySlug(slug));
    return templatePage(this.pageContext(params), {
      ...shown(template),
      text: await this.texts.source(template),
      has_brand: parseTemplate(template.body).variables.some((name) => name.startsWith('brand.')),
    });
  }

  /** Returns the rendered body alone, for a frame. @throws NotFound, RuleViolated if it is too long */
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
      // A card of a designed template shows no subject.
      shown_subject: template.is_designed ? template.subject : subjectOf(template),
      thumbnails: this.thumbnails.namesOf(slug, hash),
      excerpt: await this.texts.excerpt(template),
    };
  }

  private pageContext(params: GalleryParams): PageContext {
    return pageContext(this.config.public_url, params);
  }
}

/** @throws NotFound if the text cannot be a slug, for example because it contains characters that PostgreSQL rejects */
function bySlug(slug: string): { readonly slug: string } {
  if (!SLUG.test(slug)) throw new NotFound();
  return { slug };
}
