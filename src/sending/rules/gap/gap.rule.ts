import { sql } from '../../../platform/database/index.js';
import type { AccountRule } from '../rule.js';
import { type Gap, gapEndOf, minSecondsBetween } from './gap.js';
import { type GapState, gapState, mayBeginAfterGap } from './gap.queries.js';

/**
 * An account with a gap that is estimated sends what fits into this time at once: half an hour, at whose ends most schedules end.
 */
const BLOCK_MS = 1_800_000;
/** A gap is up to half as long again at random. */
const MEAN_RANDOM_PART = 0.25;

/** The gap between two messages of an account on average, in milliseconds. */
export const meanGap = ({ min_seconds_between: seconds }: Gap): number => seconds * 1_000 * (1 + MEAN_RANDOM_PART);

/** The gap after each message of an account. Its messages are claimed one by one, and begin one after the other. */
export const gap: AccountRule<Gap & Partial<GapState>, 'min_seconds_between'> = {
  /** The last message of the email account is too recent, or others are before it. */
  reason: 'min_seconds_between',
  level: 'account',
  columns: (scope) =>
    sql`account.min_seconds_between, account.gap_begins_at, account.gap_random_part, ${gapState(scope)}`,
  timing: minSecondsBetween,
  blockedUntil: gapEndOf('account'),
  claimSize: ({ min_seconds_between: seconds }) => (seconds > 0 ? 1 : Infinity),
  mayBegin: mayBeginAfterGap,
  // It was switched on since the claim.
  stop: { when: () => sql`account.min_seconds_between > 0 AND NOT candidate.has_gap`, then: 'stopped' },
  estimate: {
    capacity: (account, at) => {
      const mean = meanGap(account);
      return mean === 0 ? Infinity : Math.ceil((BLOCK_MS - (at.getTime() % BLOCK_MS)) / mean);
    },
    after: (_, { at }) => ({ gap_begins_at: at, gap_random_part: MEAN_RANDOM_PART }),
    // Two accounts with gaps send as one with the harmonic sum of them.
    ofBoth: ({ min_seconds_between: a }, { min_seconds_between: b }) => ({
      min_seconds_between: a === 0 || b === 0 ? 0 : (a * b) / (a + b),
    }),
  },
};
