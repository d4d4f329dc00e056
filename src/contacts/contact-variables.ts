import { timestamp } from '@outreach/http-api/responses';
import {
  CONTACT_FIELD_NAMES,
  type ContactFieldName,
  sampleFieldValues,
  TIMESTAMP_FIELDS,
  type TimestampField,
} from './contact-fields.js';
import type { Contact } from './contact.entity.js';
import { fullName } from './full-name.js';

/** A contact's columns, read as a row or as JSON that the database made of the row. In JSON, dates are strings. */
export type ContactVariablesRow = Readonly<
  Omit<Contact, 'workspace_id' | 'search_text' | 'created_source' | TimestampField> & {
    [K in TimestampField]: Contact[K] | string;
  }
>;

type Value = string | number | boolean | null;

/** The values of template variables by name. Look names up as own keys only: a variable may be named `toString`. */
export type ContactVariables = Readonly<Record<string, Value>>;

const isTimestamp = (name: ContactFieldName): name is TimestampField =>
  TIMESTAMP_FIELDS.some((timestampField) => timestampField === name);

/** Returns the function that reads a field of a contact, as the API shows it. */
export function fieldReader(name: ContactFieldName): (row: ContactVariablesRow) => string | number | null {
  if (name === 'full_name') return fullName;
  if (isTimestamp(name)) return (row) => timestamp(row[name]);
  return (row) => row[name];
}

const READERS = CONTACT_FIELD_NAMES.map((name) => [name, fieldReader(name)] as const);

/**
 * A contact's template variables: every single-valued field of the record as the API shows it, and its custom fields.
 * A custom field never replaces a field of the record, even if that is empty (API v1, "Template").
 */
export function contactVariables(row: ContactVariablesRow): ContactVariables {
  const values: Record<string, Value> = Object.assign({}, row.custom_fields);
  for (const [name, read] of READERS) values[name] = read(row);
  return values;
}

/** The fictitious contact of template previews and of the API reference. Its address and numbers are reserved (RFC 2606). */
export const SAMPLE_CONTACT: ContactVariablesRow = { ...sampleFieldValues(), custom_fields: {} };
