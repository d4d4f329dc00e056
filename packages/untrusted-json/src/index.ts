export { clean, type Cleaned } from './clean.js';
export { jsonSyntaxError, type JsonSyntaxError } from './json-syntax.js';
export { isObject, type JsonErrors, NOT_AN_OBJECT, tooManyKeys, TooManyValues } from './json-limits.js';
export { structureErrors } from './json-structure.js';
