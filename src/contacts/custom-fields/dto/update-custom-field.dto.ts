import { NullableNameField } from '../../../platform/http/fields/index.js';
import { ChangedByOperation, storedValue } from '../../../platform/http/validation/index.js';
import { CustomField } from '../custom-field.entity.js';

const NOT_CHANGEABLE = 'delete the custom field and create another one';

@ChangedByOperation({
  key: { value: storedValue(() => CustomField, 'key'), by: NOT_CHANGEABLE },
  type: { value: storedValue(() => CustomField, 'type'), by: NOT_CHANGEABLE },
})
export class UpdateCustomFieldDto {
  @NullableNameField(255) label?: string | null;
}
