import { isObject } from '@outreach/untrusted-json';
import { plainToInstance } from 'class-transformer';
import { getMetadataStorage } from 'class-validator';
import { MAX_ERRORS } from '@outreach/http-errors';
import type { Schema } from '../responses/index.js';
import { nearest } from '../similar-names/index.js';

/** A class whose decorators validate a body or a query string. */
export type InputClass = new () => object;

/** The fields of an input class. */
interface KnownFields {
  /** The fields that the class declares. */
  readonly declared: ReadonlySet<string>;
  /** Fields that responses have and bodies cannot set, with their schemas. */
  readonly ignored: Map<string, Schema>;
  /** The classes of the declared fields that contain objects. */
  readonly nested: ReadonlyMap<string, NestedInput>;
  /** The fields of the records that an array of IDs can have instead of IDs. */
  readonly records: ReadonlyMap<string, ReadonlySet<string>>;
}

/** The class of a field that contains an object or, with `each`, an array of objects. */
export interface NestedInput {
  readonly input: InputClass;
  readonly each: boolean;
}

const fieldsOf = new Map<InputClass, KnownFields>();
const recordsOf = new Map<InputClass, Map<string, ReadonlySet<string>>>();

/** Returns the names of the fields that an input class declares. */
export const declaredFields = (input: InputClass): ReadonlySet<string> => knownFields(input).declared;

/** Returns the input classes of all fields that contain an object or an array of objects, by field. */
export const nestedInputs = (input: InputClass): ReadonlyMap<string, NestedInput> => knownFields(input).nested;

/** Declares fields that bodies of this class may have without effect, because responses have them. */
export function ignoreFields(input: InputClass, fields: Readonly<Record<string, Schema>>): void {
  const { declared, ignored } = knownFields(input);
  for (const [name, schema] of Object.entries(fields)) if (!declared.has(name)) ignored.set(name, schema);
}

/** Returns the fields that {@link ignoreFields} has declared for a class. */
export const ignoredFields = (input: InputClass): ReadonlyMap<string, Schema> => knownFields(input).ignored;

/** Declares that elements of the array `field` can be records with these fields. */
export function declareRecords(input: InputClass, field: string, fields: readonly string[]): void {
  recordsOf.set(input, new Map([...(recordsOf.get(input) ?? []), [field, new Set(fields)]]));
}

/** Returns what {@link declareRecords} has declared for a class and those that it extends. */
function declaredRecords(input: InputClass): [string, ReadonlySet<string>][] {
  const parent = Object.getPrototypeOf(input) as InputClass | null;
  return [...(parent ? declaredRecords(parent) : []), ...(recordsOf.get(input) ?? [])];
}

function knownFields(input: InputClass): KnownFields {
  const cached = fieldsOf.get(input);
  if (cached) return cached;
  const rules = getMetadataStorage().getTargetValidationMetadatas(input, '', true, false);
  const nested = rules
    .filter(({ type }) => type === 'nestedValidation')
    .map(({ propertyName: name, each }) => [name, { input: nestedClass(input, name, each), each }] as const);
  const fields: KnownFields = {
    declared: new Set(rules.map(({ propertyName }) => propertyName)),
    ignored: new Map(),
    nested: new Map(nested),
    records: new Map(declaredRecords(input)),
  };
  fieldsOf.set(input, fields);
  return fields;
}

/** The class of `@Type`. class-transformer does not expose it, so a sample value is transformed. */
function nestedClass(input: InputClass, name: string, each: boolean): InputClass {
  const read = (plainToInstance(input, { [name]: each ? [{}] : {} }) as Record<string, unknown>)[name];
  return (Array.isArray(read) ? (read[0] as object) : (read as object)).constructor as InputClass;
}

/** The declared fields of a body, and the errors of the unknown ones. */
export interface PickedFields {
  readonly value: Readonly<Record<string, unknown>>;
  readonly errors: ReadonlyMap<string, readonly string[]>;
}

/**
 * Returns the parameters of a query string that the class declares, and an error for each other one whose name does not
 * begin with `_`. Parameters have no nested objects.
 */
export function pickParameters(input: InputClass, query: object): PickedFields {
  const { declared } = knownFields(input);
  const entries = Object.entries(query);
  const errors = new Map<string, string[]>();
  for (const [name] of entries)
    if (!declared.has(name) && !name.startsWith('_')) {
      errors.set(name, errors.size < MAX_ERRORS ? [unknownField(name, declared, 'query parameter')] : []);
    }
  return { value: Object.fromEntries(entries.filter(([name]) => declared.has(name))), errors };
}

/** Returns the fields that the class and its nested classes declare, and an error for each unknown field. */
export function pickKnown(input: InputClass, body: Readonly<Record<string, unknown>>): PickedFields {
  const errors = new Map<string, string[]>();
  return { value: pick(input, body, '', errors), errors };
}

function pick(
  input: InputClass,
  body: Readonly<Record<string, unknown>>,
  prefix: string,
  errors: Map<string, string[]>,
): Record<string, unknown> {
  const { declared, ignored, nested, records } = knownFields(input);
  const picked: [string, unknown][] = [];
  for (const [name, value] of Object.entries(body)) {
    const path = prefix + name;
    const [within, shown] = [nested.get(name), records.get(name)];
    if (shown && Array.isArray(value)) refuseUnknown(shown, value, path, errors);
    if (within) picked.push([name, pickNested(within, value, path, errors)]);
    else if (declared.has(name)) picked.push([name, value]);
    else if (!ignored.has(name)) addUnknown(name, declared, path, errors);
  }
  return Object.fromEntries(picked);
}

function addUnknown(name: string, known: Iterable<string>, path: string, errors: Map<string, string[]>): void {
  errors.set(path, errors.size < MAX_ERRORS ? [unknownField(name, known)] : []);
}

/** Adds an error for each unknown field of the records in an array. */
function refuseUnknown(
  known: ReadonlySet<string>,
  array: readonly unknown[],
  path: string,
  errors: Map<string, string[]>,
): void {
  for (const [index, item] of array.entries()) {
    const unknown = isObject(item) ? Object.keys(item).filter((name) => !known.has(name)) : [];
    for (const name of unknown) addUnknown(name, known, `${path}.${index}.${name}`, errors);
  }
}

/** Validation refuses an array instead of an object, and the reverse. */
function pickNested(
  { input, each }: NestedInput,
  value: unknown,
  path: string,
  errors: Map<string, string[]>,
): unknown {
  if (!each) return isObject(value) ? pick(input, value, `${path}.`, errors) : value;
  if (!Array.isArray(value)) return value;
  return value.map((item: unknown, index) => (isObject(item) ? pick(input, item, `${path}.${index}.`, errors) : item));
}

/** Long names are cut: the message is for people. */
const MAX_SHOWN_LENGTH = 64;

/** Comparing one long name with those of 500 custom fields takes some milliseconds. */
const MAX_UNKNOWN = 10;

/**
 * Returns a message for each of the names that are not known, as {@link unknownField} does. If they are more than ten, the
 * last message says how many others there are.
 */
export function unknownFields(names: Iterable<string>, known: ReadonlySet<string>): string[] {
  const unknown = [...new Set(names)].filter((name) => !known.has(name));
  const messages = unknown.slice(0, MAX_UNKNOWN).map((name) => unknownField(name, known));
  const others = unknown.length - messages.length;
  if (others === 0) return messages;
  return [
    ...messages,
    others === 1 ? 'One other name is not a known field.' : `${others} other names are not known fields.`,
  ];
}

/** Returns the message for an unknown field. It names the declared field with the most similar name. */
export function unknownField(name: string, declared: Iterable<string>, kind = 'field'): string {
  const suggestion = nearest(name, declared);
  const unknown = `${name.slice(0, MAX_SHOWN_LENGTH).toWellFormed()} is not a known ${kind}`;
  return suggestion === undefined ? `${unknown}.` : `${unknown}. Did you mean ${suggestion}?`;
}
