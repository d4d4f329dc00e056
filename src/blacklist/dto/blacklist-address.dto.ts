import { IsIn } from 'class-validator';
import { NullableField, IsEmailAddress } from '../../platform/http/index.js';
import { BLACKLIST_REASONS, type BlacklistReason } from '../blacklist-entry.entity.js';

export class BlacklistAddressDto {
  @IsEmailAddress() email!: string;

  @NullableField() @IsIn(BLACKLIST_REASONS) reason?: BlacklistReason | null;
}
