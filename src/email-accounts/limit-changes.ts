import type { ColumnValues, WorkspaceScope } from '../platform/tenancy/index.js';
import { today } from './daily-count.js';
import type { UpdateEmailAccountDto } from './dto/update-email-account.dto.js';
import type { EmailAccount } from './email-account.entity.js';

type StoredLimits = Pick<EmailAccount, 'min_seconds_between' | 'ramp_start' | 'last_used_at'>;

/** The begin of the gap of an account that has never sent a message. */
const LONG_AGO = new Date(0);

/** The gap and the ramp of an account before it is created. */
export const NO_LIMITS: StoredLimits = { min_seconds_between: 0, ramp_start: null, last_used_at: null };

/**
 * Returns the columns that follow from a change of the gap or of the ramp. Another `ramp_start` begins a ramp today. When a
 * gap is switched on or off, it is not known when the last message was sent: the claim that follows finds out.
 */
export const limitChanges = (
  scope: WorkspaceScope,
  stored: StoredLimits,
  {
    min_seconds_between: seconds,
    ramp_start: start,
  }: Pick<UpdateEmailAccountDto, 'min_seconds_between' | 'ramp_start'>,
): ColumnValues<EmailAccount> => ({
  ...(seconds !== undefined && seconds > 0 !== stored.min_seconds_between > 0
    ? { gap_begins_at: stored.last_used_at === null ? LONG_AGO : null }
    : {}),
  ...(start === undefined || start === stored.ramp_start
    ? {}
    : { ramp_started_on: start === null ? null : today(scope), ramp_days: 0 }),
});
