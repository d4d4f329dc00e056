import { getMetadataStorage } from 'class-validator';
import { ruleCheck } from './rule-check.js';

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
  const checks = getMetadataStorage()
    .getTargetValidationMetadatas(input, '', true, false)
    .filter(({ propertyName }) => propertyName === field)
    .flatMap((rule) => ruleCheck(rule) ?? []);
  return {
    accepts: (value) => checks.every((check) => check.passes(value)),
    messageFor: (value) => checks.find((check) => !check.passes(value))?.messageFor(value) ?? `${field} is not valid`,
  };
}
