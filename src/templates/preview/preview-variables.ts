import type { FieldErrors } from '@outreach/http-errors';
import { CUSTOM_VALUE_RULE, isCustomFieldValue, MAX_CUSTOM_TEXT_LENGTH } from '../../contacts/index.js';
import type { TemplateValues } from '../template-values.js';
import { SAMPLE_MESSAGE } from './sample-values.js';

/**
 * The variables of a preview request: name → a value of a custom field, or null; `sender` may be an object of such
 * values.
 */
export type PreviewVariables = Readonly<Record<string, unknown>>;

const MAX_VARIABLES = 500;
const SENDER = 'sender';

const VALUE_SCHEMA = { type: ['string', 'number', 'boolean', 'null'], maxLength: MAX_CUSTOM_TEXT_LENGTH };

/** The schema in the OpenAPI document. */
export const PREVIEW_VARIABLES_SCHEMA = {
  type: 'object',
  maxProperties: MAX_VARIABLES,
  additionalProperties: VALUE_SCHEMA,
  properties: {
    [SENDER]: {
      type: ['object', 'null'],
      properties: { name: VALUE_SCHEMA, email: VALUE_SCHEMA },
      additionalProperties: VALUE_SCHEMA,
    },
  },
};

/** Returns the validation errors of the variables of a preview: `variables.<name>` → messages. */
export function variableErrors(variables: PreviewVariables): FieldErrors {
  const values = Object.entries(variables).flatMap(([name, value]) =>
    name === SENDER && isRecord(value) ? entriesOf(value, `${SENDER}.`) : [[name, value] as const],
  );
  if (values.length > MAX_VARIABLES) return { variables: [`At most ${MAX_VARIABLES} variables are allowed.`] };
  const invalid = values.filter(([, value]) => !isVariableValue(value));
  return Object.fromEntries(invalid.map(([name]) => [`variables.${name}`, [CUSTOM_VALUE_RULE]]));
}

const entriesOf = (record: PreviewVariables, prefix: string) =>
  Object.entries(record).map(([name, value]) => [`${prefix}${name}`, value] as const);

const isVariableValue = (value: unknown): boolean => value === null || isCustomFieldValue(value);

const isRecord = (value: unknown): value is PreviewVariables =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Merges the variables of a request over the defaults, and both over the sender and links that every message has. */
export function previewValues(variables: PreviewVariables, defaults: TemplateValues = {}): TemplateValues {
  const { sender } = variables;
  return {
    ...SAMPLE_MESSAGE,
    ...defaults,
    ...variables,
    sender: { ...SAMPLE_MESSAGE.sender, ...(isRecord(sender) ? sender : {}) },
  };
}
