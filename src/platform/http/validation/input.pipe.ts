import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, validate } from 'class-validator';
import { ValidationFailed } from '../../errors/index.js';
import { clean } from './clean.js';
import { fieldErrors } from './field-errors.js';

type InputClass = new () => object;

/**
 * Turns a body or a query string into an instance of its class and validates it. Ignores unknown fields; treats an
 * empty body as `{}`; refuses a body that is not a JSON object.
 * @throws ValidationFailed with the errors of every field
 */
@Injectable()
export class InputPipe implements PipeTransform {
  async transform(value: unknown, { type, metatype }: ArgumentMetadata): Promise<unknown> {
    if ((type !== 'body' && type !== 'query') || !metatype || metatype === Object) return value;
    return validInput(metatype as InputClass, value === undefined ? {} : value);
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
  const { value, errors: cleanErrors } = clean(pickDeclared(input, raw));
  if (Object.keys(cleanErrors).length > 0) throw new ValidationFailed(cleanErrors);
  const instance = plainToInstance(input, value as object, { exposeDefaultValues: true });
  const errors = await validate(instance, { forbidUnknownValues: false, stopAtFirstError: true });
  if (errors.length > 0) throw new ValidationFailed(fieldErrors(errors));
  return instance;
}

/** Returns only the fields that the class declares. */
function pickDeclared(input: InputClass, raw: object): Record<string, unknown> {
  const names = declaredFields(input);
  return Object.fromEntries(Object.entries(raw).filter(([name]) => names.has(name)));
}

const fieldsOf = new Map<InputClass, ReadonlySet<string>>();

function declaredFields(input: InputClass): ReadonlySet<string> {
  const cached = fieldsOf.get(input);
  if (cached) return cached;
  const metadata = getMetadataStorage().getTargetValidationMetadatas(input, '', true, false);
  const names = new Set(metadata.map((one) => one.propertyName));
  fieldsOf.set(input, names);
  return names;
}
