import { getMetadataStorage, type ValidationArguments, validateSync } from 'class-validator';

/** The validation rules of one field of an input class. */
export interface FieldRule {
  accepts(value: unknown): boolean;
  /** The message of the API for a value that is not accepted. */
  messageFor(value: unknown): string;
}

/**
 * Returns the rules that an input class declares for one of its fields. They validate thousands of values outside a
 * body, such as the cells of a CSV file, fast. Rules about absent values and null are left out; transformations of the
 * class are not applied.
 */
export function fieldRule<T extends object>(input: new () => T, field: keyof T & string): FieldRule {
  const checks = checksOf(input, field);
  const messages = new Map<string, string>();
  return {
    accepts: (value) => checks.every((passes) => passes(value)),
    messageFor: (value) => {
      // A message depends on the checks that fail, not on the value, and making one takes long.
      const failed = checks.map((passes) => Number(passes(value))).join();
      const message = messages.get(failed) ?? messageOf(input, field, value);
      messages.set(failed, message);
      return message;
    },
  };
}

type Check = (value: unknown) => boolean;

function checksOf(input: new () => object, field: string): Check[] {
  const storage = getMetadataStorage();
  const declared = storage.getTargetValidationMetadatas(input, '', true, false);
  return declared
    .filter(({ propertyName, type }) => propertyName === field && type === 'customValidation')
    .flatMap(({ constraintCls, constraints }) => {
      const args: ValidationArguments = { value: undefined, constraints, targetName: '', object: {}, property: field };
      return storage.getTargetValidatorConstraints(constraintCls).map(
        ({ instance }) =>
          (value: unknown) =>
            instance.validate(value, args) === true,
      );
    });
}

function messageOf(input: new () => object, field: string, value: unknown): string {
  const instance = Object.assign(new input(), { [field]: value });
  const error = validateSync(instance, { stopAtFirstError: true }).find(({ property }) => property === field);
  return Object.values(error?.constraints ?? {})[0] ?? `${field} is not valid`;
}
