import { IsBoolean, IsIn, IsOptional } from 'class-validator';
import { type Sql, sql } from '../../platform/database/index.js';
import { BooleanQuery, ListQuery } from '../../platform/tenancy/index.js';
import { TEMPLATE_CATEGORIES, type TemplateCategory } from '../../templates/index.js';
import { type Locale, LOCALES } from '../marketplace-record.js';

/** The order of a list without `sort` (API v1, "Marketplace"). */
export const BEST_FIRST = [
  ['is_featured', 'desc'],
  ['downloads_count', 'desc'],
  ['id', 'asc'],
] as const;

export class MarketplaceTemplateListQuery extends ListQuery({
  sort: ['downloads_count', 'name', 'category', 'locale', 'is_featured', 'created_at', 'updated_at'],
  search: ['name', 'subject', 'description'],
  enums: { category: TEMPLATE_CATEGORIES, locale: LOCALES },
  filters: ['category', 'locale'],
  perPage: 15,
  defaultOrder: BEST_FIRST,
}) {
  /** Only templates of this category. */
  @IsOptional() @IsIn(TEMPLATE_CATEGORIES) category?: TemplateCategory;
  /** Only templates in this language. */
  @IsOptional() @IsIn(LOCALES) locale?: Locale;
  /** With 1 only featured templates, with 0 only the others. */
  @BooleanQuery() @IsOptional() @IsBoolean() featured?: boolean;

  override *clauses(): Iterable<Sql> {
    yield* super.clauses();
    if (this.featured !== undefined) yield sql`record.is_featured = ${this.featured}`;
  }
}

export class MarketplacePackListQuery extends ListQuery({
  sort: ['downloads_count', 'slug', 'locale', 'name', 'is_featured', 'created_at', 'updated_at'],
  search: ['name', 'slug', 'description'],
  enums: { locale: LOCALES },
  filters: ['locale'],
  perPage: 15,
  defaultOrder: BEST_FIRST,
}) {
  /** Only packs in this language. */
  @IsOptional() @IsIn(LOCALES) locale?: Locale;
  /** With 1 only featured packs, with 0 only the others. */
  @BooleanQuery() @IsOptional() @IsBoolean() featured?: boolean;

  override *clauses(): Iterable<Sql> {
    yield* super.clauses();
    if (this.featured !== undefined) yield sql`record.is_featured = ${this.featured}`;
  }
}
