import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn, IsOptional } from 'class-validator';
import { IsEmailAddress, NullableField } from '@outreach/http-api/fields';
import { ListQuery } from '../platform/tenancy/index.js';
import { BLACKLIST_REASONS, type BlacklistReason } from './blacklist-entry.entity.js';

export class BlacklistAddressDto {
  /** The address, at most 254 characters, in upper or lower case. */
  @IsEmailAddress() email!: string;

  /** Why the address is added. Without a reason it is `manual`. */
  @NullableField() @IsIn(BLACKLIST_REASONS) reason?: BlacklistReason | null;
}

const MAX_ADDRESSES = 1000;

export class RemoveAddressesDto {
  /** 1 to 1,000 addresses, in upper or lower case. */
  @IsEmailAddress({ each: true }) @ArrayMaxSize(MAX_ADDRESSES) @ArrayMinSize(1) @IsArray() emails!: string[];
}

export class BlacklistAddressesDto extends RemoveAddressesDto {
  /** Why the addresses are added. Without a reason it is `manual`. */
  @NullableField() @IsIn(BLACKLIST_REASONS) reason?: BlacklistReason | null;
}

export class CheckAddressDto {
  /** The address, in upper or lower case. */
  @IsEmailAddress() email!: string;
}

export class BlacklistListQuery extends ListQuery({
  sort: ['created_at', 'email', 'reason'],
  search: ['email'],
  perPage: 15,
  enums: { reason: BLACKLIST_REASONS },
  filters: ['reason'],
}) {
  /** Only entries with this reason. */
  @IsOptional() @IsIn(BLACKLIST_REASONS) reason?: BlacklistReason;
}
