import { notBefore } from '@outreach/time-windows';
import { type Sql, sql } from '../../../platform/database/index.js';
import type { WorkspaceScope } from '../../../platform/tenancy/index.js';
import { makeDue } from '../release.queries.js';
import { type CampaignRule, effect } from '../rule.js';
import { TEMPORARY_FAILURE } from '../temporary-failure/temporary-failure.rule.js';

/** The campaign does not send until it is started. */
export const paused: CampaignRule<'paused'> = {
  /** The campaign is paused. */
  reason: 'paused',
  level: 'campaign',
  timing: ({ status }) => (status === 'active' ? null : notBefore('paused', null)),
  stop: { when: () => sql`campaign.status <> 'active'`, then: 'waiting' },
  effects: [
    effect('campaign.paused', async (scope, { campaigns }) => {
      await pauseQueued(scope, campaigns);
      return [];
    }),
    effect('campaign.started', (scope, { campaigns }) =>
      makeDue(scope, sql.among(sql`message.campaign_id`, campaigns), ['paused']),
    ),
  ],
};

/**
 * Postpones the queued messages of paused campaigns, except answers to replies, what waits for its contact, and what waits
 * for its next attempt: its time stays. The preflight check stops those that are claimed already or come due.
 */
async function pauseQueued(scope: WorkspaceScope, campaigns: Sql): Promise<void> {
  await scope.execute(
    sql`UPDATE queued_messages SET reason = 'paused', next_attempt_at = 'infinity', updated_at = ${scope.now}
        WHERE workspace_id = ${scope} AND ${sql.among(sql`campaign_id`, campaigns)} AND reply_id IS NULL
          AND status = 'queued' AND lease_until IS NULL AND NOT waits_for_contact
          AND NOT (reason IS NOT DISTINCT FROM ${TEMPORARY_FAILURE} AND next_attempt_at > ${scope.now})`,
  );
}
