import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../platform/config/index.js';
import { NotFound } from '../../platform/errors/index.js';
import { Published } from '../published.crossing.js';
import { SLUG } from '../slug.js';
import { Addresses } from './addresses.js';
import type { Standing } from './gallery-page.js';
import { indexPage } from './index-page.js';
import { packPage } from './pack-page.js';
import { previewDocument } from './preview.js';
import { Shelves } from './shelves.crossing.js';
import { templatePage } from './template-page.js';
import type { Visit } from './visit.js';

/** The pages of the gallery, as HTML. */
@Injectable()
export class Gallery {
  constructor(
    private readonly shelves: Shelves,
    private readonly published: Published,
    @Inject(CONFIG) private readonly config: Pick<Config, 'public_url'>,
  ) {}

  async index(visit: Visit): Promise<string> {
    const [packs, templates] = await Promise.all([
      // A pack is of no single category.
      visit.category ? [] : this.shelves.packs(visit),
      this.shelves.templates(visit),
    ]);
    return indexPage(this.standing(visit), { packs, templates });
  }

  /** @throws NotFound */
  async pack(visit: Visit, slug: string): Promise<string> {
    return packPage(this.standing(visit), await this.published.pack(named(slug)));
  }

  /** @throws NotFound */
  async template(visit: Visit, slug: string): Promise<string> {
    return templatePage(this.standing(visit), await this.published.template(named(slug)));
  }

  /** The rendered body alone, for a frame. @throws NotFound, RenderedTooLong */
  async preview(slug: string): Promise<string> {
    return previewDocument(await this.published.template(named(slug)));
  }

  private standing(visit: Visit): Standing {
    return { visit, to: new Addresses(this.config.public_url, visit) };
  }
}

/** @throws NotFound for what cannot be a slug, such as a text that PostgreSQL cannot take */
function named(slug: string): { readonly slug: string } {
  if (!SLUG.test(slug)) throw new NotFound();
  return { slug };
}
