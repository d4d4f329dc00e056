import { IsBoolean, IsIn, IsOptional } from 'class-validator';
import { BooleanQuery, ListQuery } from '../../platform/tenancy/index.js';
import { TEMPLATE_CATEGORIES, type TemplateCategory } from '../template.entity.js';

export class TemplateListQuery extends ListQuery({
  sort: ['created_at', 'name', 'subject', 'category', 'updated_at'],
  search: ['name'],
  perPage: 15,
  enums: { category: TEMPLATE_CATEGORIES },
  filters: ['category', 'is_library'],
}) {
  /** Only templates of this category. */
  @IsOptional() @IsIn(TEMPLATE_CATEGORIES) category?: TemplateCategory;

  /** With 1 only templates of the library, with 0 only the others. */
  @BooleanQuery() @IsOptional() @IsBoolean() is_library?: boolean;
}
