import { Type } from 'class-transformer';
import { IsBoolean, IsIn, IsInt, IsNumber, IsObject, Max, Min, ValidateNested } from 'class-validator';
import { NullableField, NullableTextField, NullResetsTo, IdList, OptionalField } from '@outreach/http-api/fields';
import { ChangedByOperation, RefersTo, storedValue } from '@outreach/http-api/validation';
import { EmailAccount } from '../../email-accounts/index.js';
import {
  Campaign,
  CAMPAIGN_LANGUAGES,
  type CampaignLanguage,
  MAX_DAYS_BETWEEN,
  MAX_NEW_CONTACTS,
  UNKNOWN_POLICIES,
  type UnknownPolicy,
} from '../campaign/campaign.entity.js';
import { AutoEnrollDto } from './auto-enroll.dto.js';
import { ScheduleDto } from './schedule.dto.js';

const MAX_DESCRIPTION_LENGTH = 1000;
const MAX_ACCOUNTS = 1000;

/** The optional fields of a campaign, on create and on update. */
@ChangedByOperation({
  status: {
    value: storedValue(() => Campaign, 'status', 'draft'),
    by: 'use POST /campaigns/{id}/start or POST /campaigns/{id}/pause',
  },
  pause_reason: {
    value: storedValue(() => Campaign, 'pause_reason'),
    by: 'the service sets it when it pauses a campaign; POST /campaigns/{id}/start clears it',
  },
})
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

  /** Whether opens are measured, with an invisible picture in the message. `null` means the setting of the workspace. */
  @NullableField() @IsBoolean() track_opens?: boolean | null;

  /** Whether clicks are measured, with links that lead through the service. `null` means the setting of the workspace. */
  @NullableField() @IsBoolean() track_clicks?: boolean | null;

  @NullResetsTo(true) @OptionalField() @IsBoolean() stop_on_reply?: boolean;

  @NullResetsTo(true) @OptionalField() @IsBoolean() unsubscribe_footer?: boolean;

  @NullResetsTo('en') @OptionalField() @IsIn(CAMPAIGN_LANGUAGES) language?: CampaignLanguage;

  @NullResetsTo('resend') @OptionalField() @IsIn(UNKNOWN_POLICIES) on_unknown?: UnknownPolicy;

  @NullableField() @Max(1) @Min(0) @IsNumber() stop_at_bounce_rate?: number | null;

  @NullableField() @Max(1) @Min(0) @IsNumber() stop_at_complaint_rate?: number | null;

  @NullResetsTo(false) @OptionalField() @IsBoolean() skip_running_elsewhere?: boolean;

  @NullResetsTo(false) @OptionalField() @IsBoolean() stop_company_on_reply?: boolean;

  /**
   * The lists and segments whose members are enrolled while the campaign is active: those at its start, and those who join
   * later. Null means none.
   */
  @Type(() => AutoEnrollDto) @NullableField() @ValidateNested() @IsObject() auto_enroll?: AutoEnrollDto | null;

  /**
   * How many contacts may get their first message of the campaign on one day, from 1 to 1,000,000. The other new contacts wait
   * for the next day; later messages to contacts who have got one do not. Null means no limit. A lower number takes effect at
   * once.
   */
  @NullableField() @Max(MAX_NEW_CONTACTS) @Min(1) @IsInt() max_new_contacts_per_day?: number | null;

  /** How many days, from 1 to 365, a message waits after the last one to its contact. Null means that it does not. */
  @NullableField() @Max(MAX_DAYS_BETWEEN) @Min(1) @IsInt() min_days_since_last_message?: number | null;
}
