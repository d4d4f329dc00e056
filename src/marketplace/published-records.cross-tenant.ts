import { Injectable } from '@nestjs/common';
import { NotFound } from '@outreach/http-errors';
import { Database, type Sql, sql } from '../platform/database/index.js';
import { type ListQuery, ListStatements, type Page, pageOf, type PageTotal } from '../platform/tenancy/index.js';
import { MarketplacePack } from './marketplace-pack.entity.js';
import { MarketplaceTemplate } from './marketplace-template.entity.js';

/** A pack with its published templates. */
export type PackRecord = MarketplacePack & { readonly templates: readonly MarketplaceTemplate[] };

/** The ID of a record, or its slug. */
export type RecordKey = { readonly id: number } | { readonly slug: string };

const IS_PUBLISHED = sql`record.is_published`;

/**
 * The published records of the marketplace. They belong to no workspace, because all workspaces see the same records
 * (API v1, "What the service does", rule 2).
 */
@Injectable()
export class PublishedRecords {
  constructor(private readonly database: Database) {}

  async templates(query: ListQuery): Promise<Page<MarketplaceTemplate>> {
    const rows = await this.database.query<MarketplaceTemplate & PageTotal>(
      this.lists(MarketplaceTemplate).page(query, [...query.clauses()]),
    );
    return pageOf(rows, query);
  }

  async packs(query: ListQuery): Promise<Page<PackRecord>> {
    const rows = await this.database.query<PackRecord & PageTotal>(
      this.lists(MarketplacePack, templatesOfPack).page(query, [...query.clauses()]),
    );
    return pageOf(rows, query);
  }

  /** @throws NotFound also for what is not published */
  async template(key: RecordKey): Promise<MarketplaceTemplate> {
    const [template] = await this.database.query<MarketplaceTemplate>(
      this.lists(MarketplaceTemplate).find(matches(key)),
    );
    if (!template) throw new NotFound('Template');
    return template;
  }

  /** @throws NotFound also for what is not published */
  async pack(key: RecordKey): Promise<PackRecord> {
    const [pack] = await this.database.query<PackRecord>(
      this.lists(MarketplacePack, templatesOfPack).find(matches(key)),
    );
    if (!pack) throw new NotFound('Pack');
    return pack;
  }

  /** @throws NotFound also for what is not published */
  async requirePack(id: number): Promise<void> {
    const packs = await this.database.query(this.lists(MarketplacePack).find(matches({ id })));
    if (packs.length === 0) throw new NotFound('Pack');
  }

  private lists(entity: typeof MarketplaceTemplate | typeof MarketplacePack, extras?: Sql): ListStatements {
    return new ListStatements(this.database.metadata(entity), IS_PUBLISHED, extras);
  }
}

const matches = (key: RecordKey): Sql => ('id' in key ? sql`record.id = ${key.id}` : sql`record.slug = ${key.slug}`);

const templatesOfPack = sql`,
  (SELECT coalesce(json_agg(template ORDER BY part.position), '[]')
   FROM marketplace_pack_templates part
   JOIN marketplace_templates template ON template.id = part.template_id AND template.is_published
   WHERE part.pack_id = record.id) AS templates`;
