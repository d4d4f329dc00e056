import { getMetadataStorage, type ValidationArguments, validateSync } from 'class-validator';

/** Gives the first fault of a value in words, or undefined where it has none. */
export type FieldRule = (value: unknown) => string | undefined;

/**
 * The rules that an input class declares for one of its fields, for values that come by the thousand outside a body,
 * such as the cells of a table. They hold for values that are there; a rule about absence or null is none here, and
 * what the class transforms is left to the caller.
 */
export function fieldRule<T extends object>(input: new () => T, field: keyof T & string): FieldRule {
  const checks = checksOf(input, field);
  return (value) => (checks.every((passes) => passes(value)) ? undefined : messageOf(input, field, value));
}

type Check = (value: unknown) => boolean;

function checksOf(input: new () => object, field: string): Check[] {
  const storage = getMetadataStorage();
  const declared = storage.getTargetValidationMetadatas(input, '', true, false);
  return declared
    .filter(({ propertyName, type }) => propertyName === field && type === 'customValidation')
    .flatMap(({ constraintCls, constraints }) => {
      const about: ValidationArguments = { value: undefined, constraints, targetName: '', object: {}, property: field };
      return storage.getTargetValidatorConstraints(constraintCls).map(
        ({ instance }) =>
          (value: unknown) =>
            instance.validate(value, about) === true,
      );
    });
}

/** Faults are few: for their wording the whole machinery runs. */
function messageOf(input: new () => object, field: string, value: unknown): string {
  const instance = Object.assign(new input(), { [field]: value });
  const error = validateSync(instance, { stopAtFirstError: true }).find(({ property }) => property === field);
  return Object.values(error?.constraints ?? {})[0] ?? `${field} is not valid`;
}
