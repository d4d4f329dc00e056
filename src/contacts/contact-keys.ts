import { emailAddressError, normalizeEmail } from '@outreach/email-addresses';
import type { PathText } from '@outreach/http-api/records';
import { CONTACT_FIELDS } from './contact-fields.js';

/** A unique field that a path can name a contact by, and its value. */
export interface ContactKey {
  readonly field: 'email' | 'external_id';
  readonly value: string;
}

/** Reads an address of a path: it is compared as it is stored. */
export function readEmail(text: string): PathText {
  const value = normalizeEmail(text);
  const error = emailAddressError('email in the path', value);
  return error === undefined ? { value } : { value, error };
}

/** Reads an external ID of a path: it is compared exactly. */
export function readExternalId(text: string): PathText {
  const isValid = text !== '' && !text.includes('\0') && [...text].length <= MAX_ID_LENGTH;
  return isValid ? { value: text } : { value: text, error: ID_RULE };
}

export const KEY_READERS: Readonly<Record<ContactKey['field'], (text: string) => PathText>> = {
  email: readEmail,
  external_id: readExternalId,
};

const MAX_ID_LENGTH = CONTACT_FIELDS.external_id.maxLength;
const ID_RULE = `external_id in the path must have 1 to ${MAX_ID_LENGTH} characters, none of them NUL`;
