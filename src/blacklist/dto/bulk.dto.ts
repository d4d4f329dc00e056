import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn } from 'class-validator';
import { NullableField, IsEmailAddress } from '../../platform/http/index.js';
import { BLACKLIST_REASONS, type BlacklistReason } from '../blacklist-entry.entity.js';

const MAX_ADDRESSES = 1000;

export class RemoveAddressesDto {
  @IsEmailAddress({ each: true }) @ArrayMaxSize(MAX_ADDRESSES) @ArrayMinSize(1) @IsArray() emails!: string[];
}

export class BlacklistAddressesDto extends RemoveAddressesDto {
  @NullableField() @IsIn(BLACKLIST_REASONS) reason?: BlacklistReason | null;
}
