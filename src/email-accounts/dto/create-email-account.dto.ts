import { IsBoolean, IsIn, IsInt, Max, Min } from 'class-validator';
import { NullableField, NullResetsTo, IsEmailAddress, NameField } from '@outreach/http-api/fields';
import { ChangedByOperation, CheckedBy } from '@outreach/http-api/validation';
import { newAccountErrors } from '../account-errors.js';
import {
  DEFAULT_DAILY_LIMIT,
  DEFAULT_RAMP_PER_DAY,
  MAX_DAILY_LIMIT,
  MAX_RAMP_PER_DAY,
  MAX_RAMP_START,
  MAX_SECONDS_BETWEEN,
} from '../email-account.entity.js';
import { ACCOUNT_OPERATIONS } from './account-operations.js';
import { CREATABLE_TYPES, typeRule, withNewInputs } from './provider-inputs.js';

class NewAccount {
  @NameField(255) name!: string;
  @IsIn(CREATABLE_TYPES, { message: ({ value }) => typeRule(value) }) type!: (typeof CREATABLE_TYPES)[number];
  @IsEmailAddress() from_email!: string;
  @NameField(255) from_name!: string;
  /** How many messages it sends in a day (UTC) at most. */
  @NullResetsTo(DEFAULT_DAILY_LIMIT) @Max(MAX_DAILY_LIMIT) @Min(1) @IsInt() daily_limit: number = DEFAULT_DAILY_LIMIT;
  /**
   * At least so many seconds lie between two messages, and up to half as much more at random, across all campaigns and
   * workers. 0: none.
   */
  @NullResetsTo(0) @Max(MAX_SECONDS_BETWEEN) @Min(0) @IsInt() min_seconds_between: number = 0;
  /**
   * Warms the account up: it sends at most so many messages on the first day, and `ramp_per_day` more on each day that
   * follows, until `daily_limit` is reached. Days on which nothing was due do not count. A new value begins anew, null ends
   * the ramp.
   */
  @Max(MAX_RAMP_START) @Min(1) @IsInt() @NullableField() ramp_start?: number | null;
  /** By how many messages the limit grows per day. */
  @NullResetsTo(DEFAULT_RAMP_PER_DAY) @Max(MAX_RAMP_PER_DAY) @Min(1) @IsInt() ramp_per_day: number =
    DEFAULT_RAMP_PER_DAY;
  /** Whether it sends. */
  @NullResetsTo(true) @IsBoolean() is_active: boolean = true;
}

@CheckedBy(newAccountErrors)
@ChangedByOperation(ACCOUNT_OPERATIONS)
export class CreateEmailAccountDto extends withNewInputs(NewAccount) {}
