import { CUSTOM_FIELD_TYPES } from '../custom-field.entity.js';
import { ListQuery } from '../../../platform/tenancy/index.js';

export class CustomFieldListQuery extends ListQuery({
  sort: ['created_at', 'updated_at', 'key', 'label', 'type'],
  search: ['key', 'label'],
  enums: { type: CUSTOM_FIELD_TYPES },
}) {}
