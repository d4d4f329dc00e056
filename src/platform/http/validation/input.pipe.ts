import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validate } from 'class-validator';
import { type FieldErrors, ValidationFailed } from '../../errors/index.js';
import { clean } from './clean.js';
import { fieldErrors } from './field-errors.js';
import { pickDeclared, pickKnown } from './known-fields.js';

/**
 * Turns a body or a query string into an instance of its class and validates it. Refuses unknown fields of a body, and
 * a body that is not a JSON object; treats an empty body as `{}`; ignores unknown parameters of a query string.
 * @throws ValidationFailed with the errors of every field
 */
@Injectable()
export class InputPipe implements PipeTransform {
  async transform(value: unknown, { type, metatype }: ArgumentMetadata): Promise<unknown> {
    if ((type !== 'body' && type !== 'query') || !metatype || metatype === Object) return value;
    const input = metatype as new () => object;
    if (type === 'body') return validInput(input, value === undefined ? {} : value);
    const { value: parameters, errors } = clean(pickDeclared(input, value as object));
    return validInstance(input, parameters, errors);
  }
}

/**
 * Returns a validated instance of `input`, made of what a client sent.
 * @throws ValidationFailed with the errors of every field
 */
export async function validInput<T extends object>(input: new () => T, raw: unknown): Promise<T> {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) {
    throw new ValidationFailed({ body: ['The body must be a JSON object.'] });
  }
  const cleaned = clean(raw as Readonly<Record<string, unknown>>);
  const { value, errors } = pickKnown(input, cleaned.value);
  return validInstance(input, value, { ...cleaned.errors, ...Object.fromEntries(errors) });
}

/** @param found the errors that are known already; they replace those of the same fields */
async function validInstance<T extends object>(input: new () => T, value: object, found: FieldErrors): Promise<T> {
  const instance = plainToInstance(input, value, { exposeDefaultValues: true });
  const invalid = await validate(instance, { forbidUnknownValues: false, stopAtFirstError: true });
  const errors = { ...fieldErrors(invalid), ...found };
  if (Object.keys(errors).length > 0) throw new ValidationFailed(errors);
  return instance;
}
