import { IsBoolean, IsIn } from 'class-validator';
import { ClearedTo, Optional } from '../../platform/http/index.js';
import { AreVariableNames } from '../are-variable-names.js';
import { TEMPLATE_CATEGORIES, type TemplateCategory } from '../template.entity.js';

/** What a template can do without, on create as on update. */
export class TemplateOptionsDto {
  @ClearedTo('other') @Optional() @IsIn(TEMPLATE_CATEGORIES) category?: TemplateCategory;

  @ClearedTo([]) @Optional() @AreVariableNames() variables?: string[];

  @ClearedTo(false) @Optional() @IsBoolean() is_library?: boolean;
}
