import { applyDecorators } from '@nestjs/common';
import { ArrayMaxSize, ArrayMinSize, ArrayUnique, IsArray, IsBoolean, IsIn, Matches } from 'class-validator';
import { IsOneLine, TextField, NameField } from '@outreach/http-api/fields';
import { AreVariableNames, IsTemplateText, TEMPLATE_CATEGORIES, type TemplateCategory } from '../../templates/index.js';
import { type Locale, LOCALES } from '../marketplace-record.js';
import { SLUG } from '../slug.js';

const MAX_PACK_SIZE = 50;
const MAX_DESCRIPTION_LENGTH = 1000;

const IsSlug = (options: { each?: boolean } = {}): PropertyDecorator =>
  applyDecorators(Matches(SLUG, { ...options, message: 'must be words of a-z and 0-9, joined by hyphens' }));

class CatalogueRecord {
  @IsSlug() @TextField(100) slug!: string;
  @NameField(255) name!: string;
  @TextField(MAX_DESCRIPTION_LENGTH) description!: string;
  @IsIn(LOCALES) locale!: Locale;
  @IsBoolean() is_featured: boolean = false;
  @IsBoolean() is_published: boolean = true;
}

/** The front matter of a template file. */
export class TemplateFrontMatter extends CatalogueRecord {
  @IsIn(TEMPLATE_CATEGORIES) category!: TemplateCategory;
  @IsTemplateText() @IsOneLine() @TextField(500) subject!: string;
  @AreVariableNames() variables: string[] = [];
}

/** The fields of a pack file. `templates` are slugs, in the order of sending. */
export class PackFile extends CatalogueRecord {
  @IsSlug({ each: true }) @ArrayUnique() @ArrayMaxSize(MAX_PACK_SIZE) @ArrayMinSize(1) @IsArray() templates!: string[];
}
