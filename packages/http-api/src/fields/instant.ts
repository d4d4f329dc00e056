import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsDate } from 'class-validator';
import { DateTime } from 'luxon';

const ISO_INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-](0\d|1[0-4]):[0-5]\d)$/;

/** `Date` itself accepts 30 February. */
function readInstant(value: unknown): unknown {
  if (typeof value !== 'string' || !ISO_INSTANT.test(value)) return value;
  const instant = DateTime.fromISO(value);
  return instant.isValid ? instant.toJSDate() : value;
}

/** A `Date` that the client sends as an instant with its offset (ISO 8601). */
export const IsInstant = (): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) => readInstant(value)),
    IsDate({ message: '$property must be an ISO 8601 instant' }),
  );
