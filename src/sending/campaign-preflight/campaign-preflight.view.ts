import { is, timestamp, view } from '@outreach/http-api/responses';
import { type AccountFacts, dailyCapacity } from '../rules/index.js';
import type { CampaignPreflightReport } from './campaign-preflight.service.js';
import { PREFLIGHT_WARNINGS } from './campaign-warnings.js';

/** Why a start would be refused. */
export const START_BLOCKERS = [
  /** The campaign is active already. */
  'already_active',
  /** It has no step. */
  'no_steps',
  /** None of its email accounts is active, or it has none. */
  'no_account',
] as const;

const blockerShape = is.shape('PreflightBlocker', {
  /** The `reason` of the error with which a start would be refused. */
  code: is.oneOf(START_BLOCKERS),
  /** The same in a sentence, for people. */
  message: is.string,
});

const warningShape = is.shape('PreflightWarning', {
  /** What may go wrong. */
  code: is.oneOf(PREFLIGHT_WARNINGS),
  /** The same in a sentence, for people. */
  message: is.string,
  /** How many contacts, steps, subjects or accounts it is about. */
  count: is.integer,
});

const recipientsShape = is.shape('PreflightRecipients', {
  /** How many contacts are enrolled, the finished ones included. */
  enrolled: is.integer,
  /** How many of them get further messages. */
  sendable: is.integer,
  /** How many get none, by the status of the contact, or `blacklisted`. Reasons without contacts are left out. */
  skipped: { type: 'object', additionalProperties: { type: 'integer' } },
});

const accountShape = is.shape('PreflightAccount', {
  /** The ID of the email account. */
  id: is.id,
  /** How many messages it may send today, in UTC. */
  effective_limit_today: is.integer,
  /** How many of these are left. */
  remaining_today: is.integer,
});

const capacityShape = is.shape('PreflightCapacity', {
  /** The email accounts that the campaign sends from. */
  accounts: is.arrayOf(accountShape),
  /** The sum of tomorrow's limits of those that are active, if they send today: then a ramp grows. */
  per_day: is.integer,
});

export const campaignPreflightView = view(
  'CampaignPreflight',
  {
    /** Whether the campaign can be started now. */
    can_start: is.boolean,
    /** Why a start would be refused, in the order of the errors. */
    blockers: is.arrayOf(blockerShape),
    /** What may go wrong, although the campaign can start. */
    warnings: is.arrayOf(warningShape),
    /** The contacts of the campaign. */
    recipients: recipientsShape,
    /** What its email accounts can send. Other campaigns may use the same ones. */
    capacity: capacityShape,
    /**
     * When the last message would be sent, if the campaign is active from now on: with its delays, its schedule and all
     * limits, without replies, bounces, absences and what else its email accounts send. Null if nothing is due, if
     * something has to change first, or if it is years away.
     */
    estimated_completion_at: is.nullable(is.timestamp),
  },
  ({ blockers, warnings, recipients, capacity, estimated_completion_at: end }: CampaignPreflightReport) => ({
    can_start: blockers.length === 0,
    blockers: blockers.map(({ reason, message }) => ({ code: reason, message })),
    warnings,
    recipients,
    capacity: {
      accounts: capacity.accounts.map((account) => ({ id: account.id, ...limitsOf(account) })),
      per_day: capacity.per_day,
    },
    estimated_completion_at: timestamp(end),
  }),
);

const limitsOf = (account: AccountFacts) => {
  const { today, remaining } = dailyCapacity(account, account.read_at);
  return { effective_limit_today: today, remaining_today: remaining };
};
