import { sql } from '../../../platform/database/index.js';
import type { AccountRule } from '../rule.js';
import { beginGap, type Gap, gapEndOf, isInGap, minSecondsBetween, randomGapPart } from './gap.js';
import { type GapState, gapState, mayBeginAfterGap } from './gap.queries.js';

/**
 * An account with a gap that is estimated sends what fits into this time at once: half an hour, at whose ends most schedules end.
 */
const BLOCK_MS = 1_800_000;
/** A gap is up to half as long again at random. */
const MEAN_RANDOM_PART = 0.25;

/** The gap between two messages of an account on average, in milliseconds. */
const meanGap = ({ min_seconds_between: seconds }: Gap): number => seconds * 1_000 * (1 + MEAN_RANDOM_PART);

const HAS_GAP = sql`account.min_seconds_between > 0`;

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
  isOneByOne: HAS_GAP,
  blocksDue: (scope) => sql`${HAS_GAP} AND (${isInGap('account', scope.now)} OR EXISTS (
    SELECT 1 FROM queued_messages earlier
    WHERE earlier.workspace_id = ${scope} AND earlier.email_account_id = waiting.email_account_id
      AND (earlier.next_attempt_at, earlier.id) < (waiting.next_attempt_at, waiting.id)))`,
  // The gap was switched on since the claim.
  stop: { when: () => sql`${HAS_GAP} AND NOT candidate.bound_by @> '["min_seconds_between"]'`, then: 'stopped' },
  binding: {
    isBound: ({ min_seconds_between: seconds }) => seconds > 0,
    noteSent: beginGap,
    noteUncertain: (mayBeSent, now) => sql`
      gap_begins_at = CASE WHEN ${mayBeSent} AND ${HAS_GAP} THEN ${now} ELSE account.gap_begins_at END,
      gap_random_part = CASE WHEN ${mayBeSent} AND ${HAS_GAP} THEN ${randomGapPart} ELSE account.gap_random_part END`,
  },
  refusal: 'The last message of the email accounts of the campaign is too recent.',
  estimate: {
    interval: meanGap,
    size: meanGap,
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
