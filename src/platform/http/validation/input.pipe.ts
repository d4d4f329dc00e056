import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, validate } from 'class-validator';
import { ValidationFailed } from '../../errors/index.js';
import { clean } from './clean.js';
import { fieldErrors } from './field-errors.js';

type InputClass = new () => object;

/**
 * Turns a body or a query string into its class and checks it. Unknown fields are left out before anything looks at
 * them; an empty body counts as `{}`; what is no JSON object is refused.
 * @throws ValidationFailed naming every field at fault
 */
@Injectable()
export class InputPipe implements PipeTransform {
  async transform(value: unknown, { type, metatype }: ArgumentMetadata): Promise<unknown> {
    if ((type !== 'body' && type !== 'query') || !metatype || metatype === Object) return value;
    return validInput(metatype as InputClass, value === undefined ? {} : value);
  }
}

/**
 * An instance of `input` made of what a client sent.
 * @throws ValidationFailed naming every field at fault
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

/** The declared fields of what was sent. A field that is `undefined` counts as absent. */
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
