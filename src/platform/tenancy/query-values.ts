import { Transform } from 'class-transformer';

const readInteger = (value: unknown): unknown =>
  typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value;

const readBoolean = (value: unknown): unknown => (value === '1' ? true : value === '0' ? false : value);

/** Reads a whole number of a query string; what is none stays text and fails its `@IsInt()`. */
export const IntegerQuery = (): PropertyDecorator => Transform(({ value }: { value: unknown }) => readInteger(value));

/** Reads `1` and `0` of a query string; all else stays text and fails its `@IsBoolean()` (API v1, "Common list contract"). */
export const BooleanQuery = (): PropertyDecorator => Transform(({ value }: { value: unknown }) => readBoolean(value));
