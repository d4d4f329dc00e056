import { getMetadataStorage, IS_IN, type ValidationError } from 'class-validator';
import type { FieldErrors } from '@outreach/http-errors';
import { isObject } from '@outreach/untrusted-json';
import { type Rule, ruleCheck } from '../fields/index.js';
import { nearest } from '../similar-names/index.js';

/**
 * Returns class-validator's errors by field: the path of the field → messages. The path of a wrong array
 * element ends with its index; an error of the array itself has the path of the field.
 */
export function fieldErrors(errors: readonly ValidationError[]): FieldErrors {
  const found: Record<string, string[]> = {};
  for (const error of errors) collect(error, error.property, found);
  return found;
}

function collect(error: ValidationError, path: string, found: Record<string, string[]>): void {
  const constraints = Object.entries(error.constraints ?? {});
  for (const child of error.children ?? []) collect(child, `${path}.${child.property}`, found);
  // `@ValidateNested` adds an error for the nested value even if its fields have errors already.
  if (error.children?.length && constraints.every(([name]) => name === 'nestedValidation')) return;
  for (const [name, message] of constraints)
    for (const failure of failures(error, name, message))
      (found[path + failure.index] ??= []).push(failure.message + similarValue(failure));
}

/** A value that a rule refuses. */
interface Failure {
  readonly rule: Rule | undefined;
  readonly value: unknown;
  readonly message: string;
  /** Of an element: what its path ends with. */
  readonly index: string;
}

/** Returns the elements that fail a constraint, or the value of the field itself. */
function failures(error: ValidationError, constraint: string, message: string): Failure[] {
  const value: unknown = error.value;
  const rules = getMetadataStorage()
    .getTargetValidationMetadatas(error.target?.constructor ?? Object, '', true, false)
    .filter((rule) => rule.propertyName === error.property && (rule.name ?? rule.type) === constraint);
  const rule = rules.find(({ each }) => each);
  const failing = rule && Array.isArray(value) ? failingElements(rule, value, error, message) : [];
  return failing.length > 0 ? failing : [{ rule: rules[0], value, message, index: '' }];
}

function failingElements(
  rule: Rule,
  values: readonly unknown[],
  { target }: ValidationError,
  message: string,
): Failure[] {
  const check = ruleCheck(rule, target) ?? { passes: isObject, messageFor: () => message };
  return values.flatMap((value, index) =>
    check.passes(value) ? [] : [{ rule, value, message: check.messageFor(value), index: `.${index}` }],
  );
}

/** Returns the end of the message for a value that is none of an enum: the value that was probably meant. */
function similarValue({ rule, value }: Failure): string {
  if (rule?.name !== IS_IN || typeof value !== 'string') return '';
  const values = rule.constraints[0] as readonly unknown[];
  const similar = nearest(
    value,
    values.filter((one) => typeof one === 'string'),
  );
  return similar === undefined ? '' : `. Did you mean ${similar}?`;
}
