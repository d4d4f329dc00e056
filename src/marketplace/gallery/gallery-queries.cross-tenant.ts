import type { GalleryCounts, GalleryFilter, ListedPack } from '@outreach/gallery-pages';
import type { Language } from '@outreach/html-pages';
import { Injectable } from '@nestjs/common';
import { Database, type Sql, sql } from '../../platform/database/index.js';
import { orderOf, searchClauses } from '../../platform/tenancy/index.js';
import { BEST_FIRST } from '../dto/marketplace-list.query.js';
import type { MarketplaceTemplate } from '../marketplace-template.entity.js';

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

/** Only the beginning of a body tells whether it is a document, so long bodies are not read as a whole. */
const IS_DESIGNED = sql`left(record.body, 1000) ~* '<(!doctype|html|body)\\M'`;

/** In bytes. The card of a longer letter shows the description instead of its beginning. */
const MAX_LETTER_LENGTH = 20_000;

/** A template in a list. */
export type GalleryTemplate = Pick<MarketplaceTemplate, (typeof TEMPLATE_COLUMNS)[number]> & {
  readonly is_designed: boolean;
  /** SHA-256 of the body of a designed template, in hexadecimal; null for others. */
  readonly body_hash: string | null;
  /** The body of a template that is not designed; null if it is long. */
  readonly letter: string | null;
};

/** A filter, and the language of the records. */
export interface GalleryList extends GalleryFilter {
  readonly language: Language;
}

/** A part of a list. */
export interface Range {
  readonly limit: number;
  readonly offset?: number;
}

/** The published records of the marketplace in one language, in its default order. They belong to no workspace. */
@Injectable()
export class GalleryQueries {
  constructor(private readonly database: Database) {}

  async counts({ language, category, search }: GalleryList): Promise<GalleryCounts> {
    const [counts] = await this.database.query<GalleryCounts>(
      sql`SELECT count(*) FILTER (WHERE ${IS_DESIGNED}) AS designed, count(*) FILTER (WHERE NOT ${IS_DESIGNED}) AS plain,
            (SELECT count(*) FROM marketplace_packs record
             WHERE ${packFilter({ language, search })} AND ${category === undefined}) AS pack
          FROM marketplace_templates record WHERE ${templateFilter({ language, category, search })}`,
    );
    return counts ?? { designed: 0, plain: 0, pack: 0 };
  }

  /** Designed templates come first. */
  async templates(list: GalleryList, { limit, offset = 0 }: Range): Promise<GalleryTemplate[]> {
    const order = orderOf(BEST_FIRST, 'record');
    return this.database.query<GalleryTemplate>(
      sql`WITH page AS MATERIALIZED (
            SELECT record.id, ${IS_DESIGNED} AS is_designed FROM marketplace_templates record
            WHERE ${templateFilter(list)} ORDER BY is_designed DESC, ${order} LIMIT ${limit} OFFSET ${offset}
          )
          SELECT ${columns(TEMPLATE_COLUMNS)}, page.is_designed,
            CASE WHEN page.is_designed THEN encode(sha256(convert_to(record.body, 'UTF8')), 'hex') END AS body_hash,
            CASE WHEN NOT page.is_designed AND octet_length(record.body) <= ${MAX_LETTER_LENGTH}
              THEN record.body END AS letter
          FROM page JOIN marketplace_templates record ON record.id = page.id
          ORDER BY page.is_designed DESC, ${order}`,
    );
  }

  async packs(list: GalleryList, { limit, offset = 0 }: Range): Promise<ListedPack[]> {
    return this.database.query<ListedPack>(
      sql`SELECT ${columns(PACK_COLUMNS)},
            (SELECT coalesce(json_agg(json_build_object('slug', template.slug, 'name', template.name,
                                                        'locale', template.locale) ORDER BY part.position), '[]')
             FROM marketplace_pack_templates part
             JOIN marketplace_templates template ON template.id = part.template_id AND template.is_published
             WHERE part.pack_id = record.id) AS templates
          FROM marketplace_packs record WHERE ${packFilter(list)}
          ORDER BY ${orderOf(BEST_FIRST, 'record')} LIMIT ${limit} OFFSET ${offset}`,
    );
  }
}

const columns = (names: readonly string[]): Sql => sql.join(names.map(column));
const column = (name: string): Sql => sql`record.${sql.ref(name)}`;

function templateFilter({ language, kind, category, search }: GalleryList): Sql {
  const conditions = published(language);
  if (kind === 'designed') conditions.push(IS_DESIGNED);
  if (kind === 'plain') conditions.push(sql`NOT ${IS_DESIGNED}`);
  if (category) conditions.push(sql`record.category = ${category}`);
  return sql.all([...conditions, ...searchClauses(search, ['name', 'subject', 'description'].map(column))]);
}

const packFilter = ({ language, search }: GalleryList): Sql =>
  sql.all([...published(language), ...searchClauses(search, ['name', 'slug', 'description'].map(column))]);

const published = (language: Language): Sql[] => [sql`record.is_published`, sql`record.locale = ${language}`];
