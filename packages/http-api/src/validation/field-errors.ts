import { getMetadataStorage, IS_IN, type ValidationArguments, type ValidationError } from 'class-validator';
import type { FieldErrors } from '@outreach/http-errors';
import { isObject } from '@outreach/untrusted-json';
import { nearest } from '../similar-names/index.js';

type Metadata = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];

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
  for (const [name, message] of constraints) {
    const failed = metadataOf(error, name);
    for (const [failingPath, value] of failingValues(error, failed, path)) {
      (found[failingPath] ??= []).push(message + (name === IS_IN ? similarValue(failed, value) : ''));
    }
  }
}

type FailingValue = readonly [path: string, value: unknown];

/** The values that fail a constraint, with their paths: elements of the field, or its own value. */
function failingValues(error: ValidationError, failed: readonly Metadata[], path: string): FailingValue[] {
  const value: unknown = error.value;
  const metadata = failed.find(({ each }) => each);
  const failing =
    metadata && Array.isArray(value)
      ? value.flatMap((item: unknown, index) =>
          passes(item, metadata, error) ? [] : [[`${path}.${index}`, item] as const],
        )
      : [];
  return failing.length > 0 ? failing : [[path, value]];
}

function metadataOf({ target, property }: ValidationError, constraint: string): Metadata[] {
  return getMetadataStorage()
    .getTargetValidationMetadatas(target?.constructor ?? Object, '', true, false)
    .filter((one) => one.propertyName === property && (one.name ?? one.type) === constraint);
}

/** Returns the end of the message for a value that is none of an enum: the value that was probably meant. */
function similarValue([metadata]: readonly Metadata[], value: unknown): string {
  const values = (metadata?.constraints[0] ?? []) as readonly unknown[];
  const texts = values.filter((one) => typeof one === 'string');
  const similar = typeof value === 'string' ? nearest(value, texts) : undefined;
  return similar === undefined ? '' : `. Did you mean ${similar}?`;
}

function passes(item: unknown, metadata: Metadata, error: ValidationError): boolean {
  if (metadata.type === 'nestedValidation') return isObject(item);
  const constraints = getMetadataStorage().getTargetValidatorConstraints(metadata.constraintCls);
  const args: ValidationArguments = {
    value: item,
    constraints: metadata.constraints ?? [],
    targetName: '',
    object: error.target ?? {},
    property: error.property,
  };
  return constraints.every(({ instance }) => (instance as ConstraintInstance).validate(item, args) === true);
}

interface ConstraintInstance {
  validate(value: unknown, args: ValidationArguments): unknown;
}
