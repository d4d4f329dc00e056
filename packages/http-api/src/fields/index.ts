export { IsDayOrInstant, isDayOrInstant } from './day-or-instant.js';
export { IsEmailAddress } from './email-address.js';
export { fieldRule, type FieldRule } from './field-rule.js';
export {
  customRule,
  FreeMap,
  IdList,
  IsId,
  IsOneLine,
  isPlainName,
  MaxCodePoints,
  NameField,
  NullableField,
  NullableNameField,
  NullableTextField,
  NullResetsTo,
  OptionalField,
  plainName,
  TextField,
} from './fields.js';
export { IdOrRecordList } from './id-or-record-list.js';
export { IsInstant } from './instant.js';
export {
  declaredFields,
  ignoredFields,
  ignoreFields,
  type InputClass,
  nestedInputs,
  pickKnown,
  pickParameters,
  unknownField,
  unknownFields,
} from './known-fields.js';
export { ListOf } from './list-of.js';
export { RecordList, recordListsOf } from './record-list.js';
export { type Rule, ruleCheck } from './rule-check.js';
export { IsIanaTimeZone } from './time-zone.js';
