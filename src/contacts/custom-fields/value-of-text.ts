import type { CustomFieldValue } from '../contact.entity.js';
import type { CustomFieldType } from './custom-field.entity.js';

const NUMBER = /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i;
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/** Converts a string, such as a CSV cell, to the type; returns the string unchanged if it cannot be converted. */
export function valueOfText(text: string, type: CustomFieldType): CustomFieldValue {
  switch (type) {
    case 'number':
      return NUMBER.test(text) ? Number(text) : text;
    case 'boolean':
      return BOOLEANS.get(text.toLowerCase()) ?? text;
    case 'text':
    case 'date':
      return text;
    default:
      return type satisfies never;
  }
}
