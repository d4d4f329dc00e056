import { ArrayMaxSize, IsArray, IsBoolean, IsIn } from 'class-validator';
import { ClearedTo, declare, Optional } from '../../platform/http/index.js';
import { TEMPLATE_CATEGORIES, type TemplateCategory } from '../template.entity.js';

const LONGEST_NAME = 255;
const MOST_NAMES = 500;

const AreNames = (): PropertyDecorator =>
  declare(
    'areNames',
    [],
    {
      validate: (name) => typeof name === 'string' && name !== '' && [...name].length <= LONGEST_NAME,
      message: (field) => `${field} must be a text of 1 to ${LONGEST_NAME} characters`,
      schema: { type: 'string', minLength: 1, maxLength: LONGEST_NAME },
    },
    true,
  );

/** What a template can do without, on create as on update. */
export class TemplateOptionsDto {
  @ClearedTo('other') @Optional() @IsIn(TEMPLATE_CATEGORIES) category?: TemplateCategory;

  @ClearedTo([]) @Optional() @AreNames() @ArrayMaxSize(MOST_NAMES) @IsArray() variables?: string[];

  @ClearedTo(false) @Optional() @IsBoolean() is_library?: boolean;
}
