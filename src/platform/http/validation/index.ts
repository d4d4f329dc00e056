export { IsDayOrInstant } from './day-or-instant.js';
export { type FieldRule, fieldRule } from './field-rule.js';
export * from './email-address.js';
export * from './fields.js';
export {
  declaredFields,
  ignoredFields,
  ignoreFields,
  type InputClass,
  nestedInput,
  unknownField,
  unknownFields,
} from './known-fields.js';
export { IsInstant } from './instant.js';
export { IdOrRecordList } from './id-or-record-list.js';
export { structureErrors } from './json-structure.js';
export { ListOf } from './list-of.js';
export {
  ChangedByOperation,
  type CheckedInput,
  CheckedBy,
  declaredChecks,
  IgnoredIf,
  type InputCheck,
  type OperationField,
  RefersTo,
  storedValue,
  type ValidPart,
} from './input-checks.js';
export { referenceErrors } from './check-errors.js';
export { RecordList, recordListsOf } from './record-list.js';
export { readBodyInput, type ReadInput, readQueryInput, readRecord, validInput } from './read-input.js';
export { IsIanaTimeZone } from './time-zone.js';
