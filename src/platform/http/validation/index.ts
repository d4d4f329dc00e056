export { type FieldRule, fieldRule } from './field-rule.js';
export * from './fields.js';
export { declaredFields, ignoreFields, type InputClass, nestedInput, unknownField } from './known-fields.js';
export { ListOf } from './list-of.js';
export { InputPipe, validInput } from './input.pipe.js';
export { IsIanaTimeZone } from './time-zone.js';
