import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn } from 'class-validator';
import { NullableField, IsEmailAddress } from '../../platform/http/fields/index.js';
import { BLACKLIST_REASONS, type BlacklistReason } from '../blacklist-entry.entity.js';

const MAX_ADDRESSES = 1000;

export class RemoveAddressesDto {
  /** 1 to 1,000 addresses, in upper or lower case. */
  @IsEmailAddress({ each: true }) @ArrayMaxSize(MAX_ADDRESSES) @ArrayMinSize(1) @IsArray() emails!: string[];
}

export class BlacklistAddressesDto extends RemoveAddressesDto {
  /** Why the addresses are added. Without a reason it is `manual`. */
  @NullableField() @IsIn(BLACKLIST_REASONS) reason?: BlacklistReason | null;
}
