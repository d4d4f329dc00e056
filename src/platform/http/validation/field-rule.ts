import { getMetadataStorage, type ValidationArguments, validateSync } from 'class-validator';

/** What an input class asks of one of its fields. */
export interface FieldRule {
  accepts(value: unknown): boolean;
  /** What is wrong with a value for which it does not hold, in the words of the API. */
  messageFor(value: unknown): string;
}

/**
 * The rules that an input class declares for one of its fields, for values that come by the thousand outside a body,
 * such as the cells of a table. They are about values that are there; rules about absence and null are left out, and
 * what the class transforms is left to the caller.
 */
export function fieldRule<T extends object>(input: new () => T, field: keyof T & string): FieldRule {
  const checks = checksOf(input, field);
  return {
    accepts: (value) => checks.every((passes) => passes(value)),
    messageFor: (value) => messageOf(input, field, value),
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
