import { Transform } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, ArrayUnique, IsArray, IsDate, IsIn, MinDate } from 'class-validator';
import { DateTime } from 'luxon';
import { wallClock } from '../../platform/clock/index.js';
import { CheckedBy, NullableField, type Permission, TextField } from '../../platform/http/index.js';
import { PERMISSIONS } from '../permissions.js';
import { tokenErrors } from '../token-errors.js';

const ISO_INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-](0\d|1[0-4]):[0-5]\d)$/;

/** `Date` itself accepts 30 February. */
function readInstant(value: unknown): unknown {
  if (typeof value !== 'string' || !ISO_INSTANT.test(value)) return value;
  const instant = DateTime.fromISO(value);
  return instant.isValid ? instant.toJSDate() : value;
}

@CheckedBy(tokenErrors)
export class CreateTokenDto {
  /** What the token is for. At most 255 characters. */
  @TextField(255) name!: string;

  /**
   * What the token may do: areas with `:read` or `:write`, none of which implies the other. Only permissions of the
   * calling token are possible.
   */
  @IsIn(PERMISSIONS, { each: true })
  @ArrayUnique()
  @ArrayMaxSize(PERMISSIONS.length)
  @ArrayMinSize(1)
  @IsArray()
  permissions!: Permission[];

  /**
   * When the token ends: an instant with its offset (ISO 8601), at most that of the calling token. Without one it does
   * not end.
   */
  @Transform(({ value }: { value: unknown }) => readInstant(value))
  @NullableField()
  @MinDate(() => wallClock.now(), { message: 'expires_at must be in the future' })
  @IsDate({ message: 'expires_at must be an ISO 8601 instant' })
  expires_at?: Date | null;
}
