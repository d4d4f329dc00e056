import { ValidationFailed } from '@outreach/http-errors';
import { importableValues, type ImportField } from './contact-fields.js';
import type { CustomFieldValue } from './contact.entity.js';

const MAX_CONTACT_KILOBYTES = 64;
/** The limit of the values of one contact, as JSON in UTF-8 (API v1, "Limits"). */
export const MAX_CONTACT_BYTES = MAX_CONTACT_KILOBYTES * 1024;
export const CONTACT_SIZE_RULE = `A contact has at most ${MAX_CONTACT_KILOBYTES} KB in all its fields.`;

export type ContactInput = { readonly [Name in ImportField]?: unknown } & {
  readonly custom_fields?: Readonly<Record<string, CustomFieldValue>>;
};

export const isContactTooLarge = (contact: ContactInput): boolean =>
  Buffer.byteLength(JSON.stringify({ ...importableValues(contact), custom_fields: contact.custom_fields })) >
  MAX_CONTACT_BYTES;

/** @throws ValidationFailed that names `custom_fields`, because only these can be as large */
export function assertContactSize(contact: ContactInput): void {
  if (isContactTooLarge(contact)) throw new ValidationFailed({ custom_fields: [CONTACT_SIZE_RULE] });
}
