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
import type { Schema } from '../view.js';

/** May be absent. `null` is refused unless the field is {@link NullableField}. */
export const OptionalField = (): PropertyDecorator => ValidateIf((_, value) => value !== undefined);

/** May be absent; `null` clears it. */
export const NullableField = (): PropertyDecorator => ValidateIf((_, value) => value !== undefined && value !== null);

/** `null` clears the field to what it is by default. Stands before {@link OptionalField}. */
export const NullResetsTo = (defaultValue: unknown): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => (value === null ? defaultValue : value));

/**
 * A free map as it was sent: of nested objects class-transformer drops keys that are names of an object's methods, such
 * as `toString`.
 */
export const FreeMap = (): PropertyDecorator =>
  Transform(({ obj, key }: { obj: Readonly<Record<string, unknown>>; key: string }) => obj[key]);

/** A text of at most `max` Unicode code points, not empty. */
export const TextField = (max: number): PropertyDecorator =>
  applyDecorators(MaxCodePoints(max), IsNotEmpty(), IsString());

/** A text of at most `max` Unicode code points; the empty text clears it, like null. */
export const NullableTextField = (max: number): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) => (value === '' ? null : value)),
    NullableField(),
    MaxCodePoints(max),
    IsString(),
  );

/** Lengths count Unicode code points, as PostgreSQL does; JavaScript's `length` counts UTF-16 units. */
export function MaxCodePoints(max: number): PropertyDecorator {
  return customRule('maxLength', [max], {
    validate: (value) => typeof value !== 'string' || value.length <= max || [...value].length <= max,
    message: (field) => `${field} must not be longer than ${max} characters`,
  });
}

const isId = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 1;

/** The ID of a record: a positive integer. */
export const IsId = (options: { each?: boolean } = {}): PropertyDecorator =>
  customRule('isId', [], { validate: isId, message: (field) => `${field} must be an ID` }, options.each ?? false);

/** `min` to `max` IDs. Each wrong element is named by its index, unless there are too many. */
export const IdList = (max: number, min = 0): PropertyDecorator =>
  // The first fault is the one that is told: a million wrong IDs are one.
  applyDecorators(IsArray(), ArrayMinSize(min), ArrayMaxSize(max), IsId({ each: true }));

const EMAIL =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/;
const MAX_EMAIL_LENGTH = 254;
const MAX_LOCAL_PART_LENGTH = 64;

/**
 * Whether a lower-case text is an address that mail can be sent to: RFC 5321's dot-atom and a domain with a dot.
 * Quoted local parts and address literals are refused: no mailbox of a person has them, and they carry injections.
 */
export const isEmailAddress = (text: string): boolean =>
  text.length <= MAX_EMAIL_LENGTH && text.indexOf('@') <= MAX_LOCAL_PART_LENGTH && EMAIL.test(text);

/** An email address of at most 254 characters; it is stored and compared in lower case. */
export const IsEmailAddress = (options: { each?: boolean } = {}): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) => lowerCase(value)),
    customRule(
      'isEmailAddress',
      [],
      {
        validate: (value) => typeof value === 'string' && isEmailAddress(value),
        message: (field) => `${field} must be an email address of at most ${MAX_EMAIL_LENGTH} characters`,
      },
      options.each ?? false,
    ),
  );

const lowerCase = (value: unknown): unknown =>
  typeof value === 'string' ? value.toLowerCase() : Array.isArray(value) ? value.map(lowerCase) : value;

/** A rule of one's own: `validate` answers whether the value passes, `message` says what it must be. */
export interface CustomRule {
  validate(value: unknown, args?: ValidationArguments): boolean;
  message(field: string, args?: ValidationArguments): string;
  /** What the rule says of a value in the API reference, where its name does not say it. */
  readonly schema?: Schema;
}

/** Makes a class-validator decorator of a rule. */
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
