import { applyDecorators } from '@nestjs/common';
import { Transform, type TransformFnParams, Type } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, IsArray, ValidateNested } from 'class-validator';

/**
 * `@ValidateNested` would also validate the elements of arrays inside the array, and accept empty ones. An array that
 * is too long is cut to one element more than allowed, which is enough to refuse it.
 */
const elements =
  (max: number) =>
  ({ value }: TransformFnParams): unknown => {
    if (!Array.isArray(value)) return value;
    return value.slice(0, max + 1).map((element: unknown) => (Array.isArray(element) ? null : element));
  };

/** An array of `min` to `max` objects of an input class. Errors have paths such as `steps.0.subject`. */
export const ListOf = (
  input: () => new () => object,
  { min = 0, max }: { min?: number; max: number },
): PropertyDecorator =>
  applyDecorators(
    Type(input),
    Transform(elements(max)),
    ValidateNested({ each: true }),
    IsArray(),
    ArrayMaxSize(max),
    ...(min === 0 ? [] : [ArrayMinSize(min)]),
  );
