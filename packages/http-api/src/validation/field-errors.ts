import { getMetadataStorage, type ValidationArguments, type ValidationError } from 'class-validator';
import type { FieldErrors } from '@outreach/http-errors';
import { isObject } from '@outreach/untrusted-json';

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
    for (const failingPath of failingPaths(error, name, path)) (found[failingPath] ??= []).push(message);
  }
}

/** The paths of a failed constraint: those of the elements that fail it, or that of the field. */
function failingPaths(error: ValidationError, constraint: string, path: string): string[] {
  const { value, target } = error as { value: unknown; target?: object };
  const metadata = target && eachMetadata(target, error.property, constraint);
  if (!metadata || !Array.isArray(value)) return [path];
  const failing = value.flatMap((item: unknown, index) => (passes(item, metadata, error) ? [] : [`${path}.${index}`]));
  return failing.length > 0 ? failing : [path];
}

function eachMetadata(target: object, property: string, constraint: string): Metadata | undefined {
  return getMetadataStorage()
    .getTargetValidationMetadatas(target.constructor, '', true, false)
    .find((one) => one.propertyName === property && one.each && (one.name ?? one.type) === constraint);
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
