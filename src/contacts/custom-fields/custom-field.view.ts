import { is, timestamp, view } from '../../platform/http/index.js';
import { CUSTOM_FIELD_TYPES, type CustomField } from './custom-field.entity.js';

export const customFieldView = view(
  'CustomField',
  {
    id: is.id,
    key: is.string,
    label: is.string,
    type: is.oneOf(CUSTOM_FIELD_TYPES),
    created_at: is.timestamp,
    updated_at: is.timestamp,
  },
  (field: CustomField) => ({
    id: field.id,
    key: field.key,
    label: field.label,
    type: field.type,
    created_at: timestamp(field.created_at),
    updated_at: timestamp(field.updated_at),
  }),
);
