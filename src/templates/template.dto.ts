import { IsBoolean, IsIn, IsNotEmpty, IsOptional, IsString } from 'class-validator';
import { IsOneLine, NameField, NullableField, NullResetsTo, OptionalField, TextField } from '@outreach/http-api/fields';
import { BooleanQuery, ListQuery } from '../platform/tenancy/index.js';
import { AreVariableNames } from './are-variable-names.js';
import { IsTemplateText } from './is-template-text.js';
import { TEMPLATE_CATEGORIES, type TemplateCategory } from './template.entity.js';

/** The fields that are optional both on create and on update. */
export class TemplateOptionsDto {
  @NullResetsTo('other') @OptionalField() @IsIn(TEMPLATE_CATEGORIES) category?: TemplateCategory;

  /** Names of variables to list first, at most 500. Those in subject and body are found without them. */
  @NullResetsTo([]) @OptionalField() @AreVariableNames() variables?: string[];

  @NullResetsTo(false) @OptionalField() @IsBoolean() is_library?: boolean;
}

export class CreateTemplateDto extends TemplateOptionsDto {
  @NameField(255) name!: string;

  @IsTemplateText() @IsOneLine() @TextField(500) subject!: string;

  /** At most 256 KB, with at most 500 variables. */
  @IsTemplateText() @IsNotEmpty() @IsString() body!: string;
}

export class UpdateTemplateDto extends TemplateOptionsDto {
  @OptionalField() @NameField(255) name?: string;

  @OptionalField() @IsTemplateText() @IsOneLine() @TextField(500) subject?: string;

  @OptionalField() @IsTemplateText() @IsNotEmpty() @IsString() body?: string;
}

export class DuplicateTemplateDto {
  /** The name of the copy. Without one it is the name of the original, followed by ` (Copy)`. */
  @NullableField() @NameField(255) name?: string | null;
}

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
