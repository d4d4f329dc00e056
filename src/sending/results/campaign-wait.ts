import { type EarliestInstant, earliestInstant } from '../../campaigns/index.js';
import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
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

/** Returns how long the message of a step has to wait. Locks its campaign and the absence of its contact. */
export async function lockMessageWait(
  tx: WorkspaceScope,
  message: { readonly campaign_id: number; readonly contact_id: number },
): Promise<Wait> {
  const absences = await lockAbsences(tx, [message.contact_id]);
  return lockWait(tx, message.campaign_id, { absence: absences.get(message.contact_id) ?? null });
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
