import { IsBoolean, IsIn } from 'class-validator';
import { NullResetsTo, OptionalField } from '../../platform/http/fields/index.js';
import { AreVariableNames } from '../are-variable-names.js';
import { TEMPLATE_CATEGORIES, type TemplateCategory } from '../template.entity.js';

/** The fields that are optional both on create and on update. */
export class TemplateOptionsDto {
  @NullResetsTo('other') @OptionalField() @IsIn(TEMPLATE_CATEGORIES) category?: TemplateCategory;

  /** Names of variables to list first, at most 500. Those in subject and body are found without them. */
  @NullResetsTo([]) @OptionalField() @AreVariableNames() variables?: string[];

  @NullResetsTo(false) @OptionalField() @IsBoolean() is_library?: boolean;
}
