import { type Campaign, insideSchedule, nextSlot } from '../../campaigns/index.js';
import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';

/** Why a queued message waits, as the API shows it, and until when. */
export interface Wait {
  readonly reason: string | null;
  readonly until: (scope: WorkspaceScope) => Sql;
}

/** The message is due now. */
export const NO_WAIT: Wait = { reason: null, until: (scope) => scope.now };

type CampaignTiming = Pick<Campaign, 'status' | 'schedule'>;

/** Returns how long the messages of a campaign have to wait. Locks the campaign until the transaction ends. */
export async function lockCampaignWait(tx: WorkspaceScope, campaignId: number): Promise<Wait> {
  const now = tx.clock.now();
  const [campaign] = await tx.query<CampaignTiming>(
    sql`SELECT status, schedule FROM campaigns WHERE workspace_id = ${tx} AND id = ${campaignId} FOR SHARE`,
  );
  if (campaign?.status !== 'active') return { reason: 'paused', until: () => sql`'infinity'::timestamptz` };
  if (!campaign.schedule || insideSchedule(campaign.schedule, now)) return NO_WAIT;
  const at = nextSlot(campaign.schedule, now);
  return { reason: 'outside_schedule', until: () => sql`${at}` };
}
