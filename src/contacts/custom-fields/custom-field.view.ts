import { is, view } from '@outreach/http-api/responses';
import { CUSTOM_FIELD_TYPES } from './custom-field.entity.js';

export const customFieldView = view('CustomField', {
  id: is.id,
  /**
   * The name in `custom_fields`, in templates (`{{ key }}`) and in conditions (`custom_fields.<key>`): 1 to 64
   * letters, digits, underscores and hyphens. Unique in the workspace; it never changes.
   */
  key: is.string,
  /** The name for people. At most 255 characters. Without one it is the key. */
  label: is.string,
  /** The type of all values. A value of another type is refused. */
  type: is.oneOf(CUSTOM_FIELD_TYPES),
  created_at: is.timestamp,
  updated_at: is.timestamp,
});
