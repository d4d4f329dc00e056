import { CUSTOM_VALUE_RULE, isCustomFieldValue, LONGEST_CUSTOM_TEXT } from '../../contacts/index.js';
import type { FieldErrors } from '../../platform/errors/index.js';
import type { TemplateValues } from '../rendering/index.js';
import { SAMPLE_MESSAGE } from './sample-values.js';

/** What a client fills a template with: name → what a custom field can hold, or null; `sender` may be an object of these. */
export type PreviewVariables = Readonly<Record<string, unknown>>;

const MOST_NAMES = 500;
const SENDER = 'sender';

/** What the API reference says of them. */
export const PREVIEW_VARIABLES_SCHEMA = {
  type: 'object',
  maxProperties: MOST_NAMES,
  additionalProperties: { type: ['string', 'number', 'boolean', 'null'], maxLength: LONGEST_CUSTOM_TEXT },
  properties: {
    [SENDER]: { type: ['object', 'null'], properties: { name: { type: 'string' }, email: { type: 'string' } } },
  },
};

/** What is wrong with the variables of a preview: `variables.<name>` → messages. */
export function faultsOfVariables(given: PreviewVariables): FieldErrors {
  const values = Object.entries(given).flatMap(([name, value]) =>
    name === SENDER && isRecord(value) ? entriesOf(value, `${SENDER}.`) : [[name, value] as const],
  );
  if (values.length > MOST_NAMES) return { variables: [`At most ${MOST_NAMES} variables can be given.`] };
  const wrong = values.filter(([, value]) => !isValue(value));
  return Object.fromEntries(wrong.map(([name]) => [`variables.${name}`, [CUSTOM_VALUE_RULE]]));
}

const entriesOf = (record: PreviewVariables, prefix: string) =>
  Object.entries(record).map(([name, value]) => [`${prefix}${name}`, value] as const);

const isValue = (value: unknown): boolean => value === null || isCustomFieldValue(value);

const isRecord = (value: unknown): value is PreviewVariables =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The given variables over others, and over what every message has. Those that are not named keep their values. */
export function filledWith(given: PreviewVariables, others: TemplateValues = {}): TemplateValues {
  const { sender } = given;
  return {
    ...SAMPLE_MESSAGE,
    ...others,
    ...given,
    sender: { ...SAMPLE_MESSAGE.sender, ...(isRecord(sender) ? sender : {}) },
  };
}
