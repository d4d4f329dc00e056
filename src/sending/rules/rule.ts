import type { Schedule, TimingRule } from '@outreach/time-windows';
import type { Type } from '@nestjs/common';
import type { Campaign } from '../../campaigns/index.js';
import { type Sql, sql } from '../../platform/database/index.js';
import type { DomainEventMap, DomainEventName } from '../../platform/events/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { DueAccount } from './release.queries.js';
import type { Wait, WaitingMessage } from './wait.js';

/** What decides when a campaign may send. */
export type CampaignFacts = Pick<Campaign, 'status' | 'schedule' | 'min_days_since_last_message'>;

/** A campaign whose steps are planned. */
export type PlannedFacts = CampaignFacts & { readonly id: number };

/** SELECT expressions of {@link CampaignFacts} on the row `campaign`. */
export const campaignFacts = sql`campaign.status, campaign.schedule, campaign.min_days_since_last_message`;

/** What stops a claimed message right before it is sent. */
export interface Stop {
  /**
   * SQL condition on `message`, `campaign`, `enrollment`, `contact`, `account` and `candidate` of the preflight check. An answer
   * to a reply is stopped by the rules of accounts only.
   */
  readonly when: (scope: WorkspaceScope) => Sql;
  /** `waiting`: until all rules allow it again. `stopped`: it is due at once, because the next claim finds out why. */
  readonly then: 'waiting' | 'stopped';
  /** It does not stop a message that is being sent already. */
  readonly isOnlyBefore?: true;
}

/** What becomes of waiting messages when something changes. */
export interface Effect {
  readonly on: DomainEventName;
  /** Returns the accounts that have due messages now. */
  readonly run: (scope: WorkspaceScope, event: never) => Promise<readonly DueAccount[]>;
}

/** Returns an {@link Effect} of an event. */
export const effect = <Name extends DomainEventName>(
  on: Name,
  run: (scope: WorkspaceScope, event: DomainEventMap[Name]) => Promise<readonly DueAccount[]>,
): Effect => ({ on, run });

/** What all rules have: the reason that the API shows, and where it holds beside the time that it allows. */
interface Rule<Reason extends string> {
  /** The comment of a rule on it is its sentence in the API reference. */
  readonly reason: Reason;
  readonly stop?: Stop;
  readonly effects?: readonly Effect[];
  /** The time of a message that waits for it is known to the message alone: estimates take it from there. */
  readonly isStoredTime?: true;
  /** The routes and services that begin and end it. */
  readonly controllers?: readonly Type[];
  readonly providers?: readonly Type[];
}

/** A reason of messages whose times follow from their own attempts. */
export interface MessageReason<Reason extends string> extends Rule<Reason> {
  readonly level: 'message';
}

/** What an enrollment lacks, which `waiting_for` shows more precisely than the reason of its message. */
export interface EnrollmentRule<Facts, Reason extends string> extends Rule<Reason> {
  readonly level: 'enrollment';
  readonly timing: (enrollment: Facts) => TimingRule<Reason> | null;
  /** SELECT expressions of the facts on the rows of {@link ContactRule.enrolled}, unless the campaign has them. */
  readonly enrolled?: (scope: WorkspaceScope) => Sql;
}

/** A rule for all contacts of a campaign. */
export interface CampaignRule<Reason extends string> extends Rule<Reason> {
  readonly level: 'campaign';
  readonly timing: (campaign: Pick<CampaignFacts, 'status'>) => TimingRule<Reason> | null;
}

/** A part of the statement that reads the facts of contacts, as a table with the name of the reason. */
export interface ContactTable {
  /** Whether a campaign needs it; each one does if this is missing. */
  readonly isNeeded?: (campaign: CampaignFacts) => boolean;
  /**
   * SELECT of `contact_id` and the facts, for the rows of `recipient (contact_id, step_id, has_requirements)`.
   * @param lock keeps a locking clause, so that whoever ends the wait waits for the transaction; or leaves it out
   */
  readonly select: (scope: WorkspaceScope, lock: (clause: Sql) => Sql) => Sql;
  /** SELECT expressions of the facts on that table. */
  readonly columns: Sql;
  /** SQL condition: another transaction is changing the contact, and the facts are not known before its end. */
  readonly isChanging?: (scope: WorkspaceScope) => Sql;
}

/** What a rule limits of the steps that are planned in a transaction. */
export interface PlanningLimit {
  /** The accounts of waiting messages that may be sent now. */
  readonly accounts: readonly number[];
  /** How many steps may be taken of enrollments for which nothing was sent. */
  readonly free: number;
  /** Takes a place for a first message that waits until an instant. @returns its day, as `YYYY-MM-DD`; null if it has none yet */
  readonly take: (until: Date | null) => string | null;
  /** Stores the places that were taken. */
  readonly reserve: (places: number) => Promise<void>;
}

/** What a rule counts of the messages of a campaign whose end is estimated. Steps have an index, from 0. */
export interface SimulatedLimit<Facts> {
  /** The facts of the contacts of a step. */
  readonly factsOf: (step: number) => Facts;
  /** How many messages of a step may be sent on the day of an instant. */
  readonly freeOn: (step: number, instant: Date) => number;
  readonly count: (step: number, instant: Date, messages: number) => void;
}

/** A rule that differs from contact to contact. Facts that are missing are those of a contact for whom it does not hold. */
export interface ContactRule<Facts, Reason extends string> extends Rule<Reason> {
  readonly level: 'contact';
  readonly timing: (campaign: CampaignFacts, contact: Facts) => TimingRule<Reason> | null;
  readonly facts?: ContactTable;
  /**
   * SELECT expressions of further facts for `waiting_for`, on the rows `campaign`, `enrollment`, `due` (its step, if that is due)
   * and `message` (that of its step, if it is queued).
   */
  readonly enrolled?: (scope: WorkspaceScope) => Sql;
  /** SELECT expressions of facts on the rows of a claim, which count from then on. */
  readonly claimed?: (scope: WorkspaceScope) => Sql;
  /** Whether a claimed message may be sent at an instant, as far as that follows from the clock. */
  readonly isReserved?: (campaign: CampaignFacts, message: Facts, at: Date) => boolean;
  /** SQL condition on `campaign`: of the messages to one contact, one is checked at a time. */
  readonly checksOneByOne?: Sql;
  /** A column of `message` that must not change while it is checked. */
  readonly checkedColumn?: string;
  /** Its facts are known if {@link StepRecipient.has_requirements} says so: they are read for messages that it has stopped. */
  readonly isOfStep?: true;
  /** SELECT expressions of the facts on the rows of the preflight check, if it is repeated by {@link ContactRule.timing}. */
  readonly repeated?: (scope: WorkspaceScope) => Sql;
  /** Whether its messages wait for the window of the campaign, and not for their contacts alone; none does if this is missing. */
  readonly isOfCampaign?: (schedule: Pick<Schedule, 'contact_timezone'> | null) => boolean;
  /** A trigger releases its messages when the contact changes. */
  readonly isReleasedByChange?: true;
  /** If very many contacts wait, the steps of most stay due, without messages. */
  readonly hasUnplannedSteps?: true;
  /** Reserves what a message lacks that was stopped, if some is left, under locks that come before those of `wait`. */
  readonly settle?: (
    tx: WorkspaceScope,
    message: WaitingMessage & { readonly id: number },
    wait: () => Promise<Wait>,
  ) => Promise<Wait>;
  /** A part of the statement that returns what `ended`, rows of `queued_messages`, have reserved and do not need. */
  readonly refund?: (scope: WorkspaceScope, ended: Sql) => Sql;
  /** What it limits while a campaign is planned. */
  readonly planning?: {
    /** SQL condition on `campaign`. */
    readonly isLimited: Sql;
    /** Locks and returns what it limits; undefined if it limits nothing any more. */
    readonly lock: (tx: WorkspaceScope, campaign: PlannedFacts) => Promise<PlanningLimit | undefined>;
  };
  /** How it is simulated for an estimate. */
  readonly estimate?: {
    /** The minutes that lie at least between two messages to a contact. */
    readonly minDelay?: (campaign: CampaignFacts) => number;
    readonly simulate?: (scope: WorkspaceScope, campaign: Campaign) => Promise<SimulatedLimit<Facts> | undefined>;
  };
  /** SELECT of the instants `at` at which planning of `campaign` continues by the clock of a sandbox. */
  readonly nextPlanning?: (scope: WorkspaceScope) => Promise<Sql>;
}

/** What a rule reserves of an account, which is counted in its row `account`. */
export interface AccountReservation<Facts> {
  /** Assignments that reserve messages. */
  readonly assign: (scope: WorkspaceScope, account: Facts, messages: number) => Sql;
  /** The day for which the next message is reserved, as `YYYY-MM-DD`. */
  readonly dayOf: (account: Facts, at: Date) => string | null;
  /** Whether a message that is reserved for a day may be sent at an instant. */
  readonly isFor: (day: string | null, at: Date) => boolean;
  /** Assignments that return messages that were not sent. */
  readonly refund: (messages: Sql) => Sql;
  /** SQL condition: what was reserved for a day is counted still. */
  readonly isCounted: (day: Sql) => Sql;
}

/** What a rule notes of the messages of an account between claim and result. */
export interface AccountBinding<Facts> {
  /** Whether a message that is claimed now is bound: `bound_by` of `candidate` has the reason then. */
  readonly isBound: (account: Facts) => boolean;
  /** Notes that accounts have sent messages, or may have; of bound messages before their leases end. */
  readonly noteSent: (scope: WorkspaceScope, accountIds: readonly number[]) => Promise<void>;
  /** The same as assignments in the UPDATE of `account`, for those that may have sent one. */
  readonly noteUncertain: (mayBeSent: Sql, now: Sql) => Sql;
}

/** A rule for all messages of an email account. Its facts are read under the lock of the account's row. */
export interface AccountRule<Facts, Reason extends string> extends Rule<Reason> {
  readonly level: 'account';
  /** SELECT expressions of the facts on the row `account`. */
  readonly columns: (scope: WorkspaceScope) => Sql;
  readonly timing: (account: Facts) => TimingRule<Reason> | null;
  /**
   * SQL expression on the row `account`: until then it sends nothing, and null if it may send. The messages of a rule with it are
   * not changed: they stay due.
   */
  readonly blockedUntil?: Sql;
  /** Messages that are on their way may return what the limit lacks. */
  readonly isRefunded?: true;
  /** How many messages a claim may take. */
  readonly claimSize?: (account: Facts, at: Date) => number;
  /** Whether the locked account may begin a message. */
  readonly mayBegin?: (tx: WorkspaceScope, account: Facts & { readonly id: number }) => Promise<boolean>;
  /** What it reserves for claimed messages. */
  readonly reservation?: AccountReservation<Facts>;
  /** What it knows of a claimed message until its result. */
  readonly binding?: AccountBinding<Facts>;
  /** SQL condition on `account`: it sends its messages one by one. */
  readonly isOneByOne?: Sql;
  /** SQL condition on `account` and its due message `waiting`: that waits, although nothing says so in its row. */
  readonly blocksDue?: (scope: WorkspaceScope) => Sql;
  /**
   * Why a test is refused while an account waits for it: a sentence for the reference. Without one the account is none to send
   * from.
   */
  readonly refusal?: string;
  /** How the account is simulated for an estimate. */
  readonly estimate?: AccountEstimate<Facts>;
}

/** What was sent from a simulated account: all counts as sent at the first instant, and the last one was at `at`. */
export interface EstimatedSend {
  readonly from: Date;
  readonly at: Date;
  readonly count: number;
}

/** The part of a rule in the estimate of a campaign's end. */
export interface AccountEstimate<Facts> {
  /** Accounts of similar sizes are simulated as one. */
  readonly size?: (account: Facts) => number;
  /** The milliseconds from one message to the next, on average. */
  readonly interval?: (account: Facts) => number;
  /** How many messages the account may send at an instant, or soon after. */
  readonly capacity: (account: Facts, at: Date) => number;
  /** The facts after messages were sent. */
  readonly after: (account: Facts, sent: EstimatedSend) => Partial<Facts>;
  /** The facts of one account with the limits of two. */
  readonly ofBoth: (a: Facts, b: Facts) => Partial<Facts>;
}
