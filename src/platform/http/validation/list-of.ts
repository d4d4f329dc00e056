import { applyDecorators } from '@nestjs/common';
import { Transform, Type } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, IsArray, ValidateNested } from 'class-validator';

/** `@ValidateNested` looks into arrays inside of the array, too, and is content when they are empty. */
const withoutArrays = ({ value }: { value: unknown }): unknown =>
  Array.isArray(value) ? value.map((element: unknown) => (Array.isArray(element) ? null : element)) : value;

/** An array of `min` to `max` objects of an input class; faults are named by index and field, `steps.0.subject`. */
export const ListOf = (input: () => new () => object, size: { min?: number; max?: number } = {}): PropertyDecorator =>
  applyDecorators(
    Type(input),
    Transform(withoutArrays),
    ValidateNested({ each: true }),
    ...(size.max === undefined ? [] : [ArrayMaxSize(size.max)]),
    ...(size.min === undefined ? [] : [ArrayMinSize(size.min)]),
    IsArray(),
  );
