import { earliestInstant } from '@outreach/time-windows';
import {
  type AccountFacts,
  type CampaignFacts,
  type ContactFacts,
  contactRules,
  minDelay,
  type SimulatedLimit,
} from '../rules/index.js';
import { SimulatedAccounts } from './simulated-accounts.js';
import { DueGroups, type DueGroup } from './due-groups.js';

const MINUTE_MS = 60_000;
/** Enough for some years of a campaign without gaps, and for about a year of one with gaps. It takes up to three seconds. */
export const MAX_ITERATIONS = 5_000;

export interface EstimatedCampaign extends CampaignFacts {
  /** The minutes before each step, in order. */
  readonly delays: readonly number[];
  readonly limits: readonly SimulatedLimit<ContactFacts>[];
}

/**
 * Estimates when the last message of a campaign is sent, with the rules that decide about each message. Messages of a step
 * that are due together go on together: the work depends on days and steps, not on contacts. What other campaigns send from
 * the same accounts, replies and retries are not known, and how long a server takes is left out. Can be interrupted after each
 * iteration, because all of them may take seconds.
 * @returns null if nothing is due, something has to change first, or the end is too far away
 */
export function* estimateCompletion(
  campaign: EstimatedCampaign,
  facts: readonly AccountFacts[],
  groups: readonly DueGroup[],
): Generator<undefined, Date | null> {
  const accounts = new SimulatedAccounts(facts);
  const { limits } = campaign;
  const due = new DueGroups(groups);
  let end: Date | undefined;
  for (let iteration = 1; ; iteration++) {
    const group = due.takeFirst();
    if (!group) return end ?? null;
    if (iteration === MAX_ITERATIONS) return null;
    yield;
    const contact = limits.reduce<ContactFacts>((facts, limit) => ({ ...facts, ...limit.factsOf(group.step) }), {
      timezone: group.timezone,
    });
    const { at } = earliestInstant(group.due_at, [...contactRules(campaign, contact), accounts.rule]);
    if (!at) return null;
    if (at > group.due_at) {
      due.add({ ...group, due_at: at });
      continue;
    }
    const sent = accounts.send(Math.min(group.count, ...limits.map((limit) => limit.freeOn(group.step, at))), at);
    for (const limit of limits) limit.count(group.step, at, sent.count);
    due.add({ ...group, count: group.count - sent.count });
    if (!end || sent.last > end) end = sent.last;
    const delay = delayOf(campaign, group.step + 1);
    if (delay === undefined) continue;
    const next = new Date(sent.last.getTime() + delay * MINUTE_MS);
    due.add({ ...group, step: group.step + 1, due_at: next, since: next, count: sent.count });
  }
}

/** Returns the minutes between the message of the step before and that of a step; undefined if there is no such step. */
function delayOf(campaign: EstimatedCampaign, step: number): number | undefined {
  const delay = campaign.delays[step];
  return delay === undefined ? undefined : Math.max(delay, minDelay(campaign));
}
