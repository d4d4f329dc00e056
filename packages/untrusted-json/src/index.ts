export { clean, type Cleaned } from './clean.js';
export { jsonFault, type JsonFault } from './json-fault.js';
export { isObject, type JsonErrors, NOT_AN_OBJECT, tooManyKeys, TooManyValues } from './json-limits.js';
export { structureErrors } from './json-structure.js';
