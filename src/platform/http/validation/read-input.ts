import { plainToInstance } from 'class-transformer';
import { validate } from 'class-validator';
import { type FieldErrors, ValidationFailed } from '../../errors/index.js';
import type { InputContext } from '../input-context.js';
import { checkErrors, removeRefused } from './check-errors.js';
import { clean } from './clean.js';
import { fieldErrors } from './field-errors.js';
import { declaredChecks } from './input-checks.js';
import { NOT_AN_OBJECT } from './json-limits.js';
import { type InputClass, pickDeclared, pickKnown } from './known-fields.js';

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
  return withChecks(input, read, context);
}

/** Reads a query string like a body, but ignores unknown parameters. */
export async function readQueryInput(input: InputClass, query: object, context: InputContext): Promise<ReadInput> {
  const { value, errors } = clean(pickDeclared(input, query));
  return withChecks(input, await validInstance(input, value, errors), context);
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

async function readForm<T extends object>(input: new () => T, raw: unknown): Promise<ReadInput<T>> {
  if (!isObject(raw)) return { value: new input(), errors: NOT_AN_OBJECT };
  const cleaned = clean(raw);
  const { value, errors } = pickKnown(input, cleaned.value);
  return validInstance(input, value, { ...cleaned.errors, ...Object.fromEntries(errors) });
}

/** @param found the errors that are known already; they replace those of the same fields */
async function validInstance<T extends object>(
  input: new () => T,
  raw: object,
  found: FieldErrors,
): Promise<ReadInput<T>> {
  const value = plainToInstance(input, raw, { exposeDefaultValues: true });
  const invalid = await validate(value, { forbidUnknownValues: false, stopAtFirstError: true });
  return { value, errors: { ...fieldErrors(invalid), ...found } };
}

/** Adds the errors of the checks. A field that is wrong in form keeps that error. */
async function withChecks(input: InputClass, { value, errors }: ReadInput, context: InputContext): Promise<ReadInput> {
  const refused = Object.keys(errors);
  removeRefused(value, refused);
  const found = Object.entries(await checkErrors(input, value, refused, context));
  return {
    value,
    errors: { ...errors, ...Object.fromEntries(found.filter(([path]) => !Object.hasOwn(errors, path))) },
  };
}

function withoutIgnored(input: InputClass, body: unknown, context: InputContext): unknown {
  const ignored = declaredChecks(input).ignored.filter(({ when }) => when(context));
  if (ignored.length === 0 || !isObject(body)) return body;
  const names = new Set(ignored.map(({ name }) => name));
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.has(name)));
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
