import { type Campaign, insideSchedule, nextSlot } from '../../campaigns/index.js';
import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { absenceEnd, type AbsencePeriod, isAway, lockAbsences, OUT_OF_OFFICE } from '../absences/index.js';

/** Why a queued message waits, as the API shows it, and until when. */
export interface Wait {
  readonly reason: string | null;
  readonly until: (scope: WorkspaceScope) => Sql;
  /** The attempt before it does not count: it says nothing about the message. */
  readonly refundsAttempt?: boolean;
}

/** The message is due now. */
export const NO_WAIT: Wait = { reason: null, until: (scope) => scope.now };

type CampaignTiming = Pick<Campaign, 'status' | 'schedule'>;

/** Returns how long the messages of a campaign have to wait. Locks the campaign until the transaction ends. */
export const lockCampaignWait = (tx: WorkspaceScope, campaignId: number): Promise<Wait> => lockWait(tx, campaignId);

/** Returns how long the message of a step has to wait. Locks its campaign and the absence of its contact. */
export async function lockMessageWait(
  tx: WorkspaceScope,
  message: { readonly campaign_id: number; readonly contact_id: number },
): Promise<Wait> {
  const absences = await lockAbsences(tx, [message.contact_id]);
  return lockWait(tx, message.campaign_id, absences.get(message.contact_id));
}

async function lockWait(tx: WorkspaceScope, campaignId: number, absence?: AbsencePeriod): Promise<Wait> {
  const now = tx.clock.now();
  const [campaign] = await tx.query<CampaignTiming>(
    sql`SELECT status, schedule FROM campaigns WHERE workspace_id = ${tx} AND id = ${campaignId} FOR SHARE`,
  );
  if (campaign?.status !== 'active') return { reason: 'paused', until: () => sql`'infinity'::timestamptz` };
  if (absence && isAway(campaign.schedule, absence, now)) {
    const end = absenceEnd(campaign.schedule, absence);
    return { reason: OUT_OF_OFFICE, until: () => sql`${end}` };
  }
  if (!campaign.schedule || insideSchedule(campaign.schedule, now)) return NO_WAIT;
  const at = nextSlot(campaign.schedule, now);
  return { reason: 'outside_schedule', until: () => sql`${at}` };
}
