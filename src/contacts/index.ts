export { countedCompanies } from './companies/companies.queries.js';
export { Company } from './companies/company.entity.js';
export { companyView } from './companies/company.view.js';
export {
  Contact,
  CONTACT_STATUSES,
  type ContactStatus,
  type CustomFieldValue,
  DEFAULT_LIFECYCLE_STAGE,
  type TrackingConsent,
  LIFECYCLE_STAGES,
  type LifecycleStage,
} from './contact.entity.js';
export { type ContactsEvent, contactsEvent, type ContactsUnsubscribed } from './contact.events.js';
export {
  CONTACT_DATE_FIELDS,
  CONTACT_ENUM_FIELDS,
  CONTACT_SORTS,
  CONTACT_TEXT_FIELDS,
  type ContactDateField,
  type ContactEnumField,
  contactField,
  type ContactTextField,
  IDENTIFYING_COLUMNS,
  IDENTIFYING_FIELDS,
  NAME_FIELDS,
} from './contact-fields.js';
export {
  contactText,
  contactTextMatches,
  customText,
  customTextMatches,
  type TextComparison,
  type TextMatch,
} from './contact-text.js';
export { CHANGE_SOURCES, type ChangeSource, ContactChange } from './history/contact-change.entity.js';
export { ContactStatuses } from './contact-statuses.js';
export {
  type ContactVariables,
  contactVariables,
  type ContactVariablesRow,
  SAMPLE_CONTACT,
} from './contact-variables.js';
export { type ContactGroups, type ContactRecord, contactView } from './contact.view.js';
export { contactRecords } from './contacts.queries.js';
export { FormerEmail } from './former-email.entity.js';
export { findFormerEmails, findUnusedFormerEmails } from './former-emails.queries.js';
export { ContactsModule, ContactsWorkerModule } from './contacts.module.js';
export {
  CUSTOM_VALUE_RULE,
  isCustomFieldValue,
  isDateText,
  MAX_CUSTOM_TEXT_LENGTH,
} from './custom-fields/custom-field-values.js';
export { CUSTOM_FIELD_TYPES, CustomField, type CustomFieldType } from './custom-fields/custom-field.entity.js';
export { customFieldKeys } from './custom-fields/custom-fields.queries.js';
export { OrderedValue } from './custom-fields/ordered-value.entity.js';
export { Import, ImportFilePart, ImportRefusedRows } from './imports/import.entity.js';
export { IMPORTING } from './imports/queues.js';
export { personSearch } from './person-search.js';
export { ContactListQuery } from './dto/contact-list.query.js';
export { List, ListMember } from './lists/list.entity.js';
export { listView } from './lists/list.view.js';
export { ContactRefusal } from './refusals/contact-refusal.entity.js';
export { ContactRefusals } from './refusals/contact-refusals.js';
export { Tag, TagMember } from './tags/tag.entity.js';
export { tagView } from './tags/tag.view.js';
