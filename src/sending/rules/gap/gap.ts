import type { TimingRule } from '@outreach/time-windows';
import { type Sql, sql } from '../../../platform/database/index.js';
import type { WorkspaceScope } from '../../../platform/tenancy/index.js';

/** The gap between two messages of an account. The columns of `email_accounts` have the same names. */
export interface Gap {
  readonly min_seconds_between: number;
  /** When the last message was accepted, or may have been at the latest; null if that is not known. */
  readonly gap_begins_at: Date | null;
  /** By which part of itself the gap is longer: 0 to 0.5. */
  readonly gap_random_part: number;
}

/** Up to so much longer is a gap at random (API v1, "min_seconds_between"). */
const MAX_RANDOM_PART = 0.5;
const MS_PER_SECOND = 1_000;

/** Returns the instant before which the account sends no message; null if there is none. */
export function gapEnd({
  min_seconds_between: seconds,
  gap_begins_at: begin,
  gap_random_part: part,
}: Gap): Date | null {
  if (seconds === 0 || begin === null) return null;
  return new Date(begin.getTime() + seconds * (1 + part) * MS_PER_SECOND);
}

/** The gap after the last message of an account. */
export const minSecondsBetween = (gap: Gap): TimingRule<'min_seconds_between'> => ({
  reason: 'min_seconds_between',
  next: (instant) => {
    const end = gapEnd(gap);
    return end && end > instant ? end : instant;
  },
});

/** {@link gapEnd} of a row of `email_accounts`, in SQL. */
export const gapEndOf = (row: string): Sql => {
  const account = sql.ref(row);
  return sql`(CASE WHEN ${account}.min_seconds_between > 0
    THEN ${sql.later(
      sql`${account}.gap_begins_at`,
      sql`make_interval(secs => ${account}.min_seconds_between * (1 + ${account}.gap_random_part))`,
    )} END)`;
};

/** The condition that a row of `email_accounts` sends nothing yet, because its last message is too recent. */
export const isInGap = (row: string, now: Sql): Sql => {
  const account = sql.ref(row);
  return sql`(${account}.min_seconds_between > 0 AND coalesce(${gapEndOf(row)} > ${now}, FALSE))`;
};

/** A new random part of a gap. */
export const randomGapPart: Sql = sql`(${MAX_RANDOM_PART}::float8 * ${sql.random})`;

/** The gap of accounts begins: each has sent a message, or may have. Without a gap nothing changes. */
export async function beginGap(scope: WorkspaceScope, accountIds: readonly number[]): Promise<void> {
  await scope.execute(
    sql`UPDATE email_accounts SET gap_begins_at = ${scope.now}, gap_random_part = ${randomGapPart}
        WHERE workspace_id = ${scope} AND id = ANY(${[...accountIds]}::bigint[]) AND min_seconds_between > 0`,
  );
}
