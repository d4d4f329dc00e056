import { type EarliestInstant, earliestInstant } from '../../campaigns/index.js';
import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { lockLacking } from '../required-variables.queries.js';
import { lockAbsences } from '../absences/index.js';
import { type CampaignFacts, campaignRules, type ContactFacts, contactRules } from '../timing/index.js';

/** Why a queued message waits, as the API shows it, and until when. */
export interface Wait {
  readonly reason: string | null;
  readonly until: (scope: WorkspaceScope) => Sql;
  /** The attempt before it does not count: it says nothing about the message. */
  readonly refundsAttempt?: boolean;
}

/** The message is due now. */
export const NO_WAIT: Wait = { reason: null, until: (scope) => scope.now };

/** Returns how long the messages of a campaign have to wait. Locks the campaign until the transaction ends. */
export const lockCampaignWait = (tx: WorkspaceScope, campaignId: number): Promise<Wait> =>
  lockWait(tx, campaignId, { absence: null });

/** A message of a step. */
interface WaitingMessage {
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
  const { contact_id, step_id } = message;
  const isCandidate = message.lacks_variable === true && step_id !== null;
  const [lacksVariable] = isCandidate ? await lockLacking(tx, [{ contact_id, step_id }]) : [false];
  if (lacksVariable === undefined) return CHANGING_CONTACT;
  const absences = await lockAbsences(tx, [contact_id]);
  const contact = { absence: absences.get(contact_id) ?? null, lacks_variable: lacksVariable };
  return lockWait(tx, message.campaign_id, contact);
}

async function lockWait(tx: WorkspaceScope, campaignId: number, contact: ContactFacts): Promise<Wait> {
  const [campaign] = await tx.query<CampaignFacts & Record<string, unknown>>(
    sql`SELECT status, schedule FROM campaigns WHERE workspace_id = ${tx} AND id = ${campaignId} FOR SHARE`,
  );
  if (!campaign) return { reason: 'paused', until: () => sql`'infinity'::timestamptz` };
  const rules = [...campaignRules(campaign), ...contactRules(campaign, contact)];
  return waitOf(earliestInstant(tx.clock.now(), rules));
}

/** Returns the wait until an instant; without end if that is not known. */
export function waitOf({ at, reason }: EarliestInstant): Wait {
  return reason === null ? NO_WAIT : { reason, until: () => (at ? sql`${at}` : sql`'infinity'::timestamptz`) };
}
