import { SAMPLE_CONTACT } from '../../contacts/index.js';
import { brandValues, NO_BRAND } from '../brand.js';
import { MESSAGE_VARIABLES, type MessageValues, recipientValues } from '../recipient-values.js';
import type { ParsedTemplate, Variable } from '@outreach/template-language';
import { type TemplateValues, valueReader } from '../template-values.js';

/** The values of the message itself: every sent message has them, so every preview has them too. */
export const SAMPLE_MESSAGE: MessageValues = {
  sender: { name: 'Alex Bernard', email: 'alex.bernard@example.com' },
  unsubscribe_url: 'https://example.com/unsubscribe',
  sender_address: 'Acme, 1 Example Street\n75001 Paris',
  brand: brandValues(NO_BRAND, 'Alex Bernard'),
};

const SAMPLE = recipientValues(SAMPLE_CONTACT, SAMPLE_MESSAGE);
const SAMPLE_TEXTS = valueReader(SAMPLE);

/**
 * Returns a value for every variable of some templates: the fields of the sample contact, and for an unknown name
 * without a default a text that is derived from the name, or a URL if the name ends in `url` or `link`.
 */
export function sampleTemplateValues(templates: readonly ParsedTemplate[]): TemplateValues {
  const samples = templates
    .flatMap(({ tokens: pieces }) => pieces)
    .flatMap((token) =>
      typeof token === 'string' || hasValue(token) ? [] : [[token.name, sampleText(token)] as const],
    );
  return { ...Object.fromEntries(samples), ...SAMPLE };
}

// The colors of a brand have no samples: a workspace without a brand has none either.
const hasValue = (variable: Variable): boolean =>
  variable.fallback !== '' || MESSAGE_VARIABLES.includes(variable.name) || SAMPLE_TEXTS.text(variable) !== '';

const URL_NAME = /(?:^|[_-])(?:url|link)$/i;

/** `custom_fields.plan_name` → `plan name`; `booking_page_url` → `https://example.com/booking-page`. */
function sampleText({ key }: Variable): string {
  if (!URL_NAME.test(key)) return splitName(key).join(' ') || key;
  return `https://example.com/${splitName(key.replace(URL_NAME, '')).join('-')}`;
}

const splitName = (key: string): string[] => key.split(/[_-]+/).filter(Boolean);
