import { Injectable } from '@nestjs/common';
import { Database, type Sql, sql } from '../../platform/database/index.js';
import { orderOf } from '../../platform/tenancy/index.js';
import { BEST_FIRST } from '../dto/marketplace-list.query.js';
import type { MarketplacePack } from '../marketplace-pack.entity.js';
import type { MarketplaceTemplate } from '../marketplace-template.entity.js';
import type { GalleryFilter } from './gallery-params.js';

const TEMPLATE_COLUMNS = [
  'slug',
  'name',
  'description',
  'category',
  'locale',
  'subject',
  'is_featured',
  'downloads_count',
] as const;
const PACK_COLUMNS = ['slug', 'name', 'description', 'locale', 'is_featured', 'downloads_count'] as const;

/** A template in a list, without its body. */
export type GalleryTemplate = Pick<MarketplaceTemplate, (typeof TEMPLATE_COLUMNS)[number]>;

/** A pack in a list, with slugs and names of its published templates, in order. */
export type GalleryPack = Pick<MarketplacePack, (typeof PACK_COLUMNS)[number]> & {
  readonly templates: readonly Pick<MarketplaceTemplate, 'slug' | 'name'>[];
};

/** The published records of the marketplace, in its default order. They belong to no workspace. */
@Injectable()
export class GalleryQueries {
  constructor(private readonly database: Database) {}

  async templates(filter: GalleryFilter): Promise<GalleryTemplate[]> {
    return this.database.query<GalleryTemplate>(
      sql`SELECT ${columns(TEMPLATE_COLUMNS)} FROM marketplace_templates record
          WHERE ${published(filter)} ORDER BY ${orderOf(BEST_FIRST, 'record')}`,
    );
  }

  async packs({ locale }: GalleryFilter): Promise<GalleryPack[]> {
    return this.database.query<GalleryPack>(
      sql`SELECT ${columns(PACK_COLUMNS)},
            (SELECT coalesce(json_agg(json_build_object('slug', template.slug, 'name', template.name)
                                      ORDER BY part.position), '[]')
             FROM marketplace_pack_templates part
             JOIN marketplace_templates template ON template.id = part.template_id AND template.is_published
             WHERE part.pack_id = record.id) AS templates
          FROM marketplace_packs record WHERE ${published({ locale })} ORDER BY ${orderOf(BEST_FIRST, 'record')}`,
    );
  }
}

const columns = (names: readonly string[]): Sql => sql.join(names.map((name) => sql`record.${sql.ref(name)}`));

function published({ category, locale }: GalleryFilter): Sql {
  const conditions = [sql`record.is_published`];
  if (category) conditions.push(sql`record.category = ${category}`);
  if (locale) conditions.push(sql`record.locale = ${locale}`);
  return sql.all(conditions);
}
