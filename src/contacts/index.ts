export { Company } from './companies/company.entity.js';
export {
  Contact,
  CONTACT_STATUSES,
  type ContactStatus,
  type CustomFieldValue,
  LIFECYCLE_STAGES,
  type LifecycleStage,
} from './contact.entity.js';
export { CUSTOM_FIELD_TYPES, CustomField, type CustomFieldType } from './custom-fields/custom-field.entity.js';
export { List, ListMember } from './lists/list.entity.js';
export { Tag, TagMember } from './tags/tag.entity.js';
