import { ArrayMaxSize, ArrayMinSize, ArrayUnique, IsArray, IsIn, MinDate } from 'class-validator';
import { IsInstant, NullableField, NameField } from '@outreach/http-api/fields';
import type { Permission } from '@outreach/http-api/routes';
import { ChangedByOperation, CheckedBy } from '@outreach/http-api/validation';
import { wallClock } from '../../platform/clock/index.js';
import { PERMISSIONS } from '../permissions.js';
import { tokenErrors } from '../token-errors.js';

@CheckedBy(tokenErrors)
@ChangedByOperation({ token: { value: () => undefined, by: 'the service makes the token, and shows it once' } })
export class CreateTokenDto {
  /** What the token is for. At most 255 characters. */
  @NameField(255) name!: string;

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
  @NullableField()
  @MinDate(() => wallClock.now(), { message: 'expires_at must be in the future' })
  @IsInstant()
  expires_at?: Date | null;
}
