import { isObject, clean, type Cleaned, NOT_AN_OBJECT, tooManyKeys, TooManyValues } from '@outreach/untrusted-json';
import { plainToInstance } from 'class-transformer';
import { validate, validateSync } from 'class-validator';
import { type FieldErrors, ValidationFailed } from '@outreach/http-errors';
import type { InputContext } from './input-context.js';
import { checkErrors, isUnknown, removeRefused } from './check-errors.js';
import { fieldErrors } from './field-errors.js';
import { declaredChecks } from './input-checks.js';
import { declaredFields, type InputClass, pickKnown, pickParameters, recordListsOf } from '../fields/index.js';

const VALIDATION = { forbidUnknownValues: false, stopAtFirstError: true };

/** An instance of an input class, and the errors of all of its fields. It may be used only if there are none. */
export interface ReadInput<T extends object = object> {
  readonly value: T;
  readonly errors: FieldErrors;
}

/**
 * Reads a body: validates its form, and runs the checks of its class for what is valid in form. Refuses unknown fields
 * and a body that is not a JSON object. An empty body counts as `{}`.
 */
export async function readBodyInput(input: InputClass, body: unknown, context: InputContext): Promise<ReadInput> {
  const read = await readForm(input, withoutIgnored(input, body === undefined ? {} : body, context));
  if (UNREADABLE.includes(read.errors)) return read;
  const errors = { ...read.errors, ...(await operationErrors(input, body, context)) };
  return withChecks(input, { ...read, errors }, context);
}

/** The errors of fields that only operations change. */
async function operationErrors(input: InputClass, body: unknown, context: InputContext): Promise<FieldErrors> {
  const errors: Record<string, string[]> = {};
  if (!isObject(body)) return errors;
  for (const { name, value, by } of declaredChecks(input).operations) {
    if (!Object.hasOwn(body, name)) continue;
    const sent = body[name];
    const accepted = await value(context);
    if ((typeof sent === 'string' ? sent.trim() : sent) !== accepted) errors[name] = [`${name} cannot be set: ${by}`];
  }
  return errors;
}

/** Reads a query string like a body. Unknown parameters that begin with `_` are ignored. */
export async function readQueryInput(input: InputClass, query: object, context: InputContext): Promise<ReadInput> {
  const picked = pickParameters(input, query);
  const { value, errors } = cleanOrRefuse(picked.value);
  const found = { ...errors, ...Object.fromEntries(picked.errors) };
  return withChecks(input, await validInstance(input, value ?? {}, found), context);
}

/**
 * Returns an instance of `input`, valid in form, made of text that was not written in a request. The checks of the
 * class do not run.
 * @throws ValidationFailed with the errors of every field
 */
export async function validInput<T extends object>(input: new () => T, raw: unknown): Promise<T> {
  const { value, errors } = await readForm(input, raw);
  if (Object.keys(errors).length > 0) throw new ValidationFailed(errors);
  return value;
}

/**
 * Reads an element of a `@RecordList`: like a body, but without the checks of its class. What validation has refused is
 * removed from the value, so that {@link referenceErrors} can use it.
 */
export function readRecord<T extends object>(input: new () => T, raw: unknown): ReadInput<T> {
  if (!isObject(raw)) return { value: new input(), errors: NOT_A_RECORD };
  const picked = pickedFields(input, raw);
  if (!picked) return { value: new input(), errors: TOO_LARGE_A_RECORD };
  const { value: fields, errors: found } = picked;
  const value = plainToInstance(input, fields, { exposeDefaultValues: true });
  const errors = { ...fieldErrors(validateSync(value, VALIDATION)), ...found };
  removeRefused(value, Object.keys(errors));
  return { value, errors };
}

const TOO_MANY_KEYS = tooManyKeys('body');
/** The errors of bodies whose fields were not read. */
const UNREADABLE: readonly FieldErrors[] = [NOT_AN_OBJECT, TOO_MANY_KEYS];
const NOT_A_RECORD: FieldErrors = { record: ['The record must be a JSON object.'] };
const TOO_LARGE_A_RECORD = tooManyKeys('record');

async function readForm<T extends object>(input: new () => T, raw: unknown): Promise<ReadInput<T>> {
  if (!isObject(raw)) return { value: new input(), errors: NOT_AN_OBJECT };
  const picked = pickedFields(input, raw);
  if (!picked) return { value: new input(), errors: TOO_MANY_KEYS };
  const { value, lists, errors } = picked;
  return validInstance(input, value, errors, lists);
}

/** The declared fields of a body. */
interface PickedFields {
  /** In clean form. */
  readonly value: object;
  /** Lists of records, as they were sent: each record is read by itself. */
  readonly lists: object;
  /** The errors of the other fields. */
  readonly errors: FieldErrors;
}

/** See {@link clean}. @throws ValidationFailed if there are more than 20,000 values */
function cleanOrRefuse(raw: Readonly<Record<string, unknown>>): Cleaned {
  try {
    return clean(raw);
  } catch (error) {
    throw error instanceof TooManyValues ? new ValidationFailed(error.errors) : error;
  }
}

/** Returns undefined if the object has more than 1,000 keys. */
function pickedFields(input: InputClass, raw: Readonly<Record<string, unknown>>): PickedFields | undefined {
  const lists = recordListsOf(input);
  const isList = ([name, value]: [string, unknown]): boolean => lists.has(name) && Array.isArray(value);
  const entries = Object.entries(raw);
  const cleaned = cleanOrRefuse(lists.size === 0 ? raw : Object.fromEntries(entries.filter((entry) => !isList(entry))));
  if (cleaned.value === null) return undefined;
  const { value, errors } = pickKnown(input, cleaned.value);
  return {
    value,
    lists: lists.size === 0 ? {} : Object.fromEntries(entries.filter(isList)),
    errors: { ...cleaned.errors, ...Object.fromEntries(errors) },
  };
}

/**
 * @param found the errors that are known already; they replace those of the same fields
 * @param lists fields that class-transformer must not read, because a key of theirs may be `constructor`
 */
async function validInstance<T extends object>(
  input: new () => T,
  raw: object,
  found: FieldErrors,
  lists: object = {},
): Promise<ReadInput<T>> {
  const value = Object.assign(plainToInstance(input, raw, { exposeDefaultValues: true }), lists);
  const invalid = await validate(value, VALIDATION);
  return { value, errors: { ...fieldErrors(invalid), ...found } };
}

/** Adds the errors of the checks. A field that is wrong in form keeps that error, unless it is unknown. */
async function withChecks(input: InputClass, { value, errors }: ReadInput, context: InputContext): Promise<ReadInput> {
  const refused = Object.keys(errors);
  removeRefused(value, refused);
  const declared = declaredFields(input);
  const found = Object.entries(await checkErrors(input, value, refused, context));
  const added = found.filter(([path]) => !Object.hasOwn(errors, path) || isUnknown(path, declared));
  return { value, errors: { ...errors, ...Object.fromEntries(added) } };
}

function withoutIgnored(input: InputClass, body: unknown, context: InputContext): unknown {
  const ignored = declaredChecks(input).ignored.filter(({ when }) => when(context));
  if (ignored.length === 0 || !isObject(body)) return body;
  const names = new Set(ignored.map(({ name }) => name));
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.has(name)));
}
