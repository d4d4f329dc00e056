import { Transform } from 'class-transformer';

const readInteger = (value: unknown): unknown =>
  typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value;

const readBoolean = (value: unknown): unknown => (value === '1' ? true : value === '0' ? false : value);

/** Reads an integer of a query string; any other value stays a string, which `@IsInt()` rejects. */
export const IntegerQuery = (): PropertyDecorator => Transform(({ value }: { value: unknown }) => readInteger(value));

/**
 * Reads `1` and `0` of a query string; any other value stays a string, which `@IsBoolean()` rejects (API v1, "Common
 * list contract").
 */
export const BooleanQuery = (): PropertyDecorator => Transform(({ value }: { value: unknown }) => readBoolean(value));
