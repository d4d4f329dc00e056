import { Type } from 'class-transformer';
import { IsBoolean, IsIn, IsNumber, IsObject, Max, Min, ValidateNested } from 'class-validator';
import { EmailAccount } from '../../email-accounts/index.js';
import {
  NullableField,
  NullableTextField,
  NullResetsTo,
  IdList,
  OptionalField,
  RefersTo,
} from '../../platform/http/index.js';
import { UNKNOWN_POLICIES, type UnknownPolicy } from '../campaign/campaign.entity.js';
import { ScheduleDto } from './schedule.dto.js';

const MAX_DESCRIPTION_LENGTH = 1000;
const MAX_ACCOUNTS = 1000;

/** The optional fields of a campaign, on create and on update. */
export class CampaignOptionsDto {
  @NullableTextField(MAX_DESCRIPTION_LENGTH) description?: string | null;

  /**
   * The email accounts that send, in turns: at most 1,000 IDs. An account that is named twice counts once. Empty means
   * the default account of the workspace.
   */
  @NullResetsTo([])
  @OptionalField()
  @RefersTo(() => EmailAccount)
  @IdList(MAX_ACCOUNTS)
  email_account_ids?: number[];

  @Type(() => ScheduleDto) @NullableField() @ValidateNested() @IsObject() schedule?: ScheduleDto | null;

  @NullResetsTo(true) @OptionalField() @IsBoolean() track_opens?: boolean;

  @NullResetsTo(true) @OptionalField() @IsBoolean() track_clicks?: boolean;

  @NullResetsTo(true) @OptionalField() @IsBoolean() stop_on_reply?: boolean;

  @NullResetsTo(true) @OptionalField() @IsBoolean() unsubscribe_footer?: boolean;

  @NullResetsTo('resend') @OptionalField() @IsIn(UNKNOWN_POLICIES) on_unknown?: UnknownPolicy;

  @NullableField() @IsNumber() @Min(0) @Max(1) stop_at_bounce_rate?: number | null;

  @NullableField() @IsNumber() @Min(0) @Max(1) stop_at_complaint_rate?: number | null;
}
