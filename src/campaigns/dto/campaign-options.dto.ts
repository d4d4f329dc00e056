import { Type } from 'class-transformer';
import { IsBoolean, IsIn, IsObject, ValidateNested } from 'class-validator';
import { Clearable, ClearableText, ClearedTo, Ids, Optional } from '../../platform/http/index.js';
import { UNKNOWN_POLICIES, type UnknownPolicy } from '../campaign.entity.js';
import { ScheduleDto } from './schedule.dto.js';

const LONGEST_DESCRIPTION = 1000;
const MOST_ACCOUNTS = 1000;

/** What a campaign can do without, on create as on update. */
export class CampaignOptionsDto {
  @ClearableText(LONGEST_DESCRIPTION) description?: string | null;

  /** The mailboxes that take turns. One that is named twice counts once. */
  @ClearedTo([]) @Optional() @Ids(MOST_ACCOUNTS) email_account_ids?: number[];

  @Type(() => ScheduleDto) @Clearable() @ValidateNested() @IsObject() schedule?: ScheduleDto | null;

  @ClearedTo(true) @Optional() @IsBoolean() track_opens?: boolean;

  @ClearedTo(true) @Optional() @IsBoolean() track_clicks?: boolean;

  @ClearedTo(true) @Optional() @IsBoolean() stop_on_reply?: boolean;

  @ClearedTo(true) @Optional() @IsBoolean() unsubscribe_footer?: boolean;

  @ClearedTo('resend') @Optional() @IsIn(UNKNOWN_POLICIES) on_unknown?: UnknownPolicy;
}
