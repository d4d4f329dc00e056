import { IsIn } from 'class-validator';
import { NullableField, IsEmailAddress } from '../../platform/http/fields/index.js';
import { BLACKLIST_REASONS, type BlacklistReason } from '../blacklist-entry.entity.js';

export class BlacklistAddressDto {
  /** The address, at most 254 characters, in upper or lower case. */
  @IsEmailAddress() email!: string;

  /** Why the address is added. Without a reason it is `manual`. */
  @NullableField() @IsIn(BLACKLIST_REASONS) reason?: BlacklistReason | null;
}
