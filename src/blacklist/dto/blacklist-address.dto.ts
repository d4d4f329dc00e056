import { IsIn } from 'class-validator';
import { Clearable, IsEmailAddress } from '../../platform/http/index.js';
import { BLACKLIST_REASONS, type BlacklistReason } from '../blacklist-entry.entity.js';

export class BlacklistAddressDto {
  @IsEmailAddress() email!: string;

  @Clearable() @IsIn(BLACKLIST_REASONS) reason?: BlacklistReason | null;
}
