import { type EarliestInstant, earliestInstant } from '../../campaigns/index.js';
import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { lastMessagesFor } from '../last-messages.queries.js';
import { lockLacking } from '../required-variables.queries.js';
import { lockAbsences } from '../absences/index.js';
import { type CampaignFacts, campaignRules, contactRules, contactZones } from '../timing/index.js';

/** Why a queued message waits, as the API shows it, and until when. */
export interface Wait {
  readonly reason: string | null;
  readonly until: (scope: WorkspaceScope) => Sql;
  /** The attempt that the preflight check has counted says nothing about the message, and does not count. */
  readonly refundsAttempt?: boolean;
  /** It waits because its provider could not be used: it is due as soon as the provider can be. */
  readonly isForProvider?: boolean;
}

/** The message is due now. */
export const NO_WAIT: Wait = { reason: null, until: (scope) => scope.now };

/**
 * Returns how long the messages of a campaign have to wait, without what differs from contact to contact. Locks the
 * campaign until the transaction ends, against others that may make it active, too.
 */
export async function lockCampaignWait(tx: WorkspaceScope, campaignId: number): Promise<Wait> {
  const campaign = await lockFacts(tx, campaignId, sql`FOR NO KEY UPDATE`);
  if (!campaign) return WITHOUT_END;
  const own = campaign.schedule?.contact_timezone ? [] : contactRules(campaign, { absence: null, timezone: null });
  return waitOf(earliestInstant(tx.clock.now(), [...campaignRules(campaign), ...own]));
}

/** A message of a step. */
export interface WaitingMessage {
  readonly campaign_id: number;
  readonly contact_id: number;
  readonly step_id: number | null;
  /** Its contact had no value for a required variable when it was claimed. */
  readonly lacks_variable?: boolean;
}

/** Another transaction is changing the contact. */
const CHANGING_CONTACT: Wait = { reason: null, until: (scope) => sql`${scope.now} + interval '5 seconds'` };

/** Returns how long the message of a step has to wait. Locks its campaign, the absence of its contact and, if it lacks a variable, the contact. */
export async function lockMessageWait(tx: WorkspaceScope, message: WaitingMessage): Promise<Wait> {
  const { contact_id: id, step_id: stepId } = message;
  const isCandidate = message.lacks_variable === true && stepId !== null;
  const [lacksVariable] = isCandidate ? await lockLacking(tx, [{ contact_id: id, step_id: stepId }]) : [false];
  if (lacksVariable === undefined) return CHANGING_CONTACT;
  const absences = await lockAbsences(tx, [id]);
  const campaign = await lockFacts(tx, message.campaign_id, sql`FOR SHARE`);
  if (!campaign) return WITHOUT_END;
  const zones = await contactZones(tx, campaign, [id]);
  const last = await lastMessagesFor(tx, campaign, [id]);
  const contact = {
    absence: absences.get(id) ?? null,
    timezone: zones.get(id) ?? null,
    lacks_variable: lacksVariable,
    last_message: last.get(id),
  };
  return waitOf(earliestInstant(tx.clock.now(), [...campaignRules(campaign), ...contactRules(campaign, contact)]));
}

async function lockFacts(tx: WorkspaceScope, campaignId: number, lock: Sql): Promise<CampaignFacts | undefined> {
  const [campaign] = await tx.query<CampaignFacts & Record<string, unknown>>(
    sql`SELECT status, schedule, min_days_since_last_message FROM campaigns
        WHERE workspace_id = ${tx} AND id = ${campaignId} ${lock}`,
  );
  return campaign;
}

const WITHOUT_END: Wait = { reason: 'paused', until: () => sql`'infinity'::timestamptz` };

/** Returns the wait until an instant; without end if that is not known. */
export function waitOf({ at, reason }: EarliestInstant): Wait {
  return reason === null ? NO_WAIT : { reason, until: () => (at ? sql`${at}` : sql`'infinity'::timestamptz`) };
}

/** The reason of a message that waits for its next attempt. */
export const TEMPORARY_FAILURE = 'temporary_failure';

/** The message waits for its next attempt. */
export const temporaryFailure = (minutes: number): Wait => ({
  reason: TEMPORARY_FAILURE,
  until: (scope) => sql`${scope.now} + make_interval(mins => ${minutes})`,
});
