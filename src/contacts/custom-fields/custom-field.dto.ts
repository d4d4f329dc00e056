import { IsIn } from 'class-validator';
import { customRule, NullableNameField } from '@outreach/http-api/fields';
import { ChangedByOperation, storedValue } from '@outreach/http-api/validation';
import { ListQuery } from '../../platform/tenancy/index.js';
import { isCustomFieldKey } from './custom-field-values.js';
import { CUSTOM_FIELD_TYPES, CustomField, type CustomFieldType } from './custom-field.entity.js';

const IsCustomFieldKey = (): PropertyDecorator =>
  customRule('isCustomFieldKey', [], {
    validate: (value) => typeof value === 'string' && isCustomFieldKey(value),
    message: (field) => `${field} must be 1 to 64 letters, digits, underscores or hyphens, and not a reserved word`,
    schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,64}$' },
  });

export class CreateCustomFieldDto {
  @IsCustomFieldKey() key!: string;
  /** Defaults to the key. */
  @NullableNameField(255) label?: string | null;
  @IsIn(CUSTOM_FIELD_TYPES) type!: CustomFieldType;
}

const NOT_CHANGEABLE = 'delete the custom field and create another one';

@ChangedByOperation({
  key: { value: storedValue(() => CustomField, 'key'), by: NOT_CHANGEABLE },
  type: { value: storedValue(() => CustomField, 'type'), by: NOT_CHANGEABLE },
})
export class UpdateCustomFieldDto {
  @NullableNameField(255) label?: string | null;
}

export class CustomFieldListQuery extends ListQuery({
  sort: ['created_at', 'updated_at', 'key', 'label', 'type'],
  search: ['key', 'label'],
  enums: { type: CUSTOM_FIELD_TYPES },
}) {}
