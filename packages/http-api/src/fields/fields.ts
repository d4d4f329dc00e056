import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsNotEmpty,
  IsString,
  registerDecorator,
  ValidateIf,
  type ValidationArguments,
} from 'class-validator';
import type { Schema } from '../responses/index.js';

/** The field may be absent. `null` is refused unless it is a {@link NullableField}. */
export const OptionalField = (): PropertyDecorator => ValidateIf((_, value) => value !== undefined);

/** The field may be absent or null; `null` clears it. */
export const NullableField = (): PropertyDecorator => ValidateIf((_, value) => value !== undefined && value !== null);

/** `null` resets the field to its default. Apply it above {@link OptionalField}. */
export const NullResetsTo = (defaultValue: unknown): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => (value === null ? defaultValue : value));

/**
 * An object with arbitrary keys, unchanged: class-transformer would drop keys that are names of an object's methods,
 * such as `toString`.
 */
export const FreeMap = (): PropertyDecorator =>
  Transform(({ obj, key }: { obj: Readonly<Record<string, unknown>>; key: string }) => obj[key]);

/** A string of 1 to `max` Unicode code points. */
export const TextField = (max: number): PropertyDecorator =>
  applyDecorators(MaxCodePoints(max), IsNotEmpty(), IsString());

/** A string of at most `max` Unicode code points. The empty string clears it, like null. */
export const NullableTextField = (max: number): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) => (value === '' ? null : value)),
    NullableField(),
    MaxCodePoints(max),
    IsString(),
  );

/** Characters that a name may have: those of a person can come from a cell with several lines or with tabs. */
export type NameCharacters = 'one line' | 'tabs and line breaks';

/** A {@link TextField} that names something for people, see {@link isPlainName}. */
export const NameField = (max: number): PropertyDecorator => applyDecorators(IsPlainName('one line'), TextField(max));

/** A {@link NullableTextField} that names something for people, see {@link isPlainName}. */
export const NullableNameField = (max: number, characters: NameCharacters = 'one line'): PropertyDecorator =>
  applyDecorators(IsPlainName(characters), NullableTextField(max));

/** Bidirectional formatting characters (Unicode Standard Annex 9), what ends or controls a line, and lone surrogates. */
const NOT_PLAIN = /[\p{Cc}\p{Bidi_Control}\u2028\u2029\p{Cs}]+/u;
const EACH_NOT_PLAIN = new RegExp(NOT_PLAIN, 'gu');
const ALLOWED: Readonly<Record<NameCharacters, RegExp | null>> = {
  'one line': null,
  'tabs and line breaks': /[\t\n\r]/g,
};

/**
 * Returns whether a name shows as what it is wherever it is shown, such as on pages, in terminals and in the header
 * `From`: without control characters, and without bidirectional formatting characters, which display other characters
 * than those that are there. Letters of all scripts, also of those that are written from right to left, are plain.
 */
export function isPlainName(name: string, characters: NameCharacters = 'one line'): boolean {
  const allowed = ALLOWED[characters];
  return !NOT_PLAIN.test(allowed ? name.replace(allowed, '') : name);
}

/** Returns a text for which {@link isPlainName} returns true. @param by what takes the place of characters that it refuses */
export const plainName = (text: string, by: '' | ' '): string => text.replace(EACH_NOT_PLAIN, by).trim();

const IsPlainName = (characters: NameCharacters): PropertyDecorator =>
  customRule('isPlainName', [], {
    validate: (value) => typeof value !== 'string' || isPlainName(value, characters),
    message: (field) =>
      `${field} must not contain control characters or bidirectional formatting characters, such as U+202E: remove them`,
  });

/** Counts Unicode code points, as PostgreSQL does; JavaScript's `length` counts UTF-16 units. */
export function MaxCodePoints(max: number): PropertyDecorator {
  return customRule('maxLength', [max], {
    validate: (value) => typeof value !== 'string' || value.length <= max || [...value].length <= max,
    message: (field) => `${field} must not be longer than ${max} characters`,
  });
}

const LINE_BREAK_OR_CONTROL = /[\p{Cc}\u2028\u2029]/u;

/** A text that becomes a header of a message: without line breaks, which would end the header (RFC 5322, 2.2). */
export const IsOneLine = (): PropertyDecorator =>
  customRule('isOneLine', [], {
    validate: (value) => typeof value !== 'string' || !LINE_BREAK_OR_CONTROL.test(value),
    message: (field) => `${field} must be one line, without line breaks and other control characters`,
  });

const isId = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 1;

/** The ID of a record: a positive integer. */
export const IsId = ({ each = false, schema }: { each?: boolean; schema?: Schema } = {}): PropertyDecorator =>
  customRule(
    'isId',
    [],
    { validate: isId, message: (field) => `${field} must be an ID`, ...(schema ? { schema } : {}) },
    each,
  );

/**
 * An array of `min` to `max` IDs. Errors name each wrong element by its index, unless there are too many elements.
 * @param schema of an element in the API reference, if it is more than an ID before the transformations of the class
 */
export const IdList = (max: number, min = 0, schema?: Schema): PropertyDecorator =>
  // Only the first failed rule is reported, so an array that is too long gives one error, not one for each element.
  applyDecorators(IsArray(), ArrayMinSize(min), ArrayMaxSize(max), IsId({ each: true, ...(schema ? { schema } : {}) }));

/** A validation rule: `validate` returns whether the value passes, `message` the text of the error. */
export interface CustomRule {
  validate(value: unknown, args?: ValidationArguments): boolean;
  message(field: string, args?: ValidationArguments): string;
  /** The rule in the API reference, unless `validation-rules.ts` knows its name; `{}` if its description says it. */
  readonly schema?: Schema;
}

/** Returns a class-validator decorator for a rule. */
export function customRule(name: string, constraints: unknown[], rule: CustomRule, each = false): PropertyDecorator {
  return (target, property) =>
    registerDecorator({
      name,
      target: target.constructor,
      propertyName: String(property),
      constraints,
      options: { each, context: { schema: rule.schema } },
      validator: {
        validate: (value: unknown, args) => rule.validate(value, args),
        defaultMessage: (args) => rule.message(`${each ? 'each value in ' : ''}${args?.property ?? 'the field'}`, args),
      },
    });
}
