import { earliestInstant } from '@outreach/time-windows';
import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import {
  type CampaignFacts,
  campaignFacts,
  campaignRules,
  contactRules,
  isOfStep,
  lockContactFacts,
  rulesOf,
  type Wait,
  type WaitingMessage,
  waitOf,
  type WaitReason,
} from '../rules/index.js';

/**
 * Returns how long the messages of a campaign have to wait, without what differs from contact to contact. Locks the
 * campaign until the transaction ends, against others that may make it active, too.
 */
export async function lockCampaignWait(tx: WorkspaceScope, campaignId: number): Promise<Wait> {
  const campaign = await lockFacts(tx, campaignId, sql`FOR NO KEY UPDATE`);
  if (!campaign) return waitOf(earliestInstant(tx.clock.now(), campaignRules(DELETED)));
  const own = campaign.schedule?.contact_timezone ? [] : contactRules(campaign, {});
  return waitOf(earliestInstant(tx.clock.now(), [...campaignRules(campaign), ...own]));
}

/** Another transaction is changing the contact. */
const CHANGING_CONTACT: Wait = { reason: null, until: (scope) => sql`${scope.now} + interval '5 seconds'` };

/**
 * Returns how long the message of a step has to wait. Locks its campaign and what ends the waits for its contact.
 * @param stoppedBy the rule that has stopped it, which may settle that
 */
export function lockMessageWait(
  tx: WorkspaceScope,
  message: WaitingMessage & { readonly id: number },
  stoppedBy?: WaitReason,
): Promise<Wait> {
  const wait = () => lockWait(tx, message, isOfStep(stoppedBy));
  const rule = rulesOf('contact').find(({ reason }) => reason === stoppedBy);
  return rule?.settle?.(tx, message, wait) ?? wait();
}

async function lockWait(tx: WorkspaceScope, message: WaitingMessage, isOfStepNow: boolean): Promise<Wait> {
  const { campaign_id: campaignId, contact_id: contactId, step_id: stepId } = message;
  const campaign = await lockFacts(tx, campaignId, sql`FOR SHARE`);
  if (!campaign) return waitOf(earliestInstant(tx.clock.now(), campaignRules(DELETED)));
  const recipient = { contact_id: contactId, step_id: stepId, has_requirements: isOfStepNow && stepId !== null };
  const contact = (await lockContactFacts(tx, campaign, [recipient])).get(contactId);
  if (contact?.is_changing) return CHANGING_CONTACT;
  const rules = [...campaignRules(campaign), ...contactRules(campaign, contact ?? {})];
  return waitOf(earliestInstant(tx.clock.now(), rules));
}

async function lockFacts(tx: WorkspaceScope, campaignId: number, lock: Sql): Promise<CampaignFacts | undefined> {
  return tx.queryOne<CampaignFacts>(
    sql`SELECT ${campaignFacts} FROM campaigns campaign
        WHERE campaign.workspace_id = ${tx} AND campaign.id = ${campaignId} ${lock}`,
  );
}

/** A campaign that does not exist any more. */
const DELETED = { status: 'completed' } as const;
