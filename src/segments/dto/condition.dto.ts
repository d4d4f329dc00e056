import { Transform } from 'class-transformer';
import { IsIn, IsString } from 'class-validator';
import { NullableField, MaxCodePoints, TextField } from '@outreach/http-api/fields';
import { type Connector, CONNECTORS, type Operator, OPERATORS, takesValue } from '../conditions/index.js';

const MAX_VALUE_LENGTH = 500;
const MAX_FIELD_LENGTH = 100;

/** Converts numbers and booleans to strings. Ignores any value if the operator takes none. */
const readValue = ({ value, obj }: { value: unknown; obj: { operator?: unknown } }): unknown => {
  if (!takesValue(obj.operator as Operator)) return null;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
};

/** `conditionErrors` also checks the combination of the three, because it depends on the custom fields of the workspace. */
export class ConditionDto {
  /**
   * What to compare: `email`, `external_id`, `first_name`, `last_name`, `full_name`, `company`, `phone`, `job_title`,
   * `linkedin_url`, `timezone` (texts); `status`, `lifecycle_stage`, `tracking_consent` (enums); `subscribed_at`,
   * `unsubscribed_at`, `created_at`, `updated_at` (dates); `company_id`, `tag_id`, `list_id` (IDs); or `custom_fields.<key>`,
   * with the type of the custom field.
   */
  @TextField(MAX_FIELD_LENGTH) field!: string;

  /** How to compare. Which operators are possible depends on the type of the field. */
  @IsIn(OPERATORS) operator!: Operator;

  /**
   * What to compare with, at most 500 characters: a text; a number; `true` or `false`; a day such as `2026-09-30` or
   * an instant with its offset; the ID of a company, tag or list; or a value of the enum. A JSON number or boolean is
   * read as its text. It is ignored for `is_empty` and `is_not_empty`, and required for all others.
   */
  @Transform(readValue) @NullableField() @MaxCodePoints(MAX_VALUE_LENGTH) @IsString() value?: string | null;

  /**
   * Joins this condition with the one before it, instead of `match_type`. It has no effect on the first condition.
   */
  @NullableField() @IsIn(CONNECTORS) connector?: Connector | null;
}
