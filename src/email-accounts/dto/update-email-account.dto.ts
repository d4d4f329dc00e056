import { IsBoolean, IsIn, IsInt, Max, Min } from 'class-validator';
import { NullableField, NullResetsTo, IsEmailAddress, OptionalField, NameField } from '@outreach/http-api/fields';
import { ChangedByOperation, CheckedBy } from '@outreach/http-api/validation';
import { accountChangeErrors } from '../account-errors.js';
import {
  DEFAULT_DAILY_LIMIT,
  DEFAULT_RAMP_PER_DAY,
  MAX_DAILY_LIMIT,
  MAX_RAMP_PER_DAY,
  MAX_RAMP_START,
  MAX_SECONDS_BETWEEN,
} from '../email-account.entity.js';
import type { EmailAccountType } from '../providers/provider-names.js';
import { ACCOUNT_TYPES } from '../providers/providers.js';
import { ACCOUNT_OPERATIONS } from './account-operations.js';
import { withChangedInputs } from './provider-inputs.js';

class ChangedAccount {
  @OptionalField() @NameField(255) name?: string;
  /** Accepted if it is the type of the account, which never changes. */
  @OptionalField() @IsIn(ACCOUNT_TYPES) type?: EmailAccountType;
  @OptionalField() @IsEmailAddress() from_email?: string;
  @OptionalField() @NameField(255) from_name?: string;
  @OptionalField() @NullResetsTo(DEFAULT_DAILY_LIMIT) @Max(MAX_DAILY_LIMIT) @Min(1) @IsInt() daily_limit?: number;
  /**
   * At least so many seconds lie between two messages, and up to half as much more at random, across all campaigns and
   * workers. 0: none.
   */
  @OptionalField() @NullResetsTo(0) @Max(MAX_SECONDS_BETWEEN) @Min(0) @IsInt() min_seconds_between?: number;
  /**
   * Warms the account up: it sends at most so many messages on the first day, and `ramp_per_day` more on each day that
   * follows, until `daily_limit` is reached. Days on which nothing was due do not count. A new value begins anew, null ends
   * the ramp.
   */
  @Max(MAX_RAMP_START) @Min(1) @IsInt() @NullableField() ramp_start?: number | null;
  /** By how many messages the limit grows per day. */
  @OptionalField() @NullResetsTo(DEFAULT_RAMP_PER_DAY) @Max(MAX_RAMP_PER_DAY) @Min(1) @IsInt() ramp_per_day?: number;
  @OptionalField() @NullResetsTo(true) @IsBoolean() is_active?: boolean;
}

@CheckedBy(accountChangeErrors)
@ChangedByOperation(ACCOUNT_OPERATIONS)
export class UpdateEmailAccountDto extends withChangedInputs(ChangedAccount) {}
