import { Injectable } from '@nestjs/common';
import { BackgroundSteps } from '@outreach/concurrency';
import { GlobalBlacklist } from '../../blacklist/index.js';
import {
  type Campaign,
  iterateStepRecords,
  type StartRefusal,
  startRefusals,
  type StepOutline,
  stepsInOrder,
} from '../../campaigns/index.js';
import { DomainAuthentication, findUnauthenticated } from '../../email-accounts/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { claimSize, dailyCapacity, simulatedLimits } from '../rules/index.js';
import { senderFacts, type SenderFacts } from '../timing/index.js';
import { estimateCompletion, MAX_ITERATIONS } from './completion-estimate.js';
import type { DueGroup } from './due-groups.js';
import {
  countLacking,
  countRecipients,
  type DueRow,
  dueRows,
  type RecipientCount,
  settingFacts,
} from './campaign-preflight.queries.js';
import { type PreflightWarning, warningsOf } from './campaign-warnings.js';
import { StepTexts } from './step-texts.js';

const MINUTE_MS = 60_000;

export interface CampaignPreflightReport {
  readonly blockers: readonly StartRefusal[];
  readonly warnings: readonly PreflightWarning[];
  readonly recipients: {
    readonly enrolled: number;
    readonly sendable: number;
    readonly skipped: Readonly<Record<string, number>>;
  };
  readonly capacity: { readonly accounts: readonly SenderFacts[]; readonly per_day: number };
  readonly estimated_completion_at: Date | null;
}

/** Examines a campaign, with a number of statements that depends on the number of its steps only, and changes nothing. */
@Injectable()
export class CampaignPreflight {
  constructor(
    private readonly domains: DomainAuthentication,
    private readonly blacklist: GlobalBlacklist,
    private readonly steps: BackgroundSteps,
  ) {}

  async run(scope: WorkspaceScope, campaign: Campaign): Promise<CampaignPreflightReport> {
    const blockers = await startRefusals(scope, campaign);
    const steps = await stepsInOrder(scope, campaign.id);
    const accounts = await accountsOf(scope, campaign);
    const recipients = recipientsOf(await countRecipients(scope, campaign.id, this.blacklist));
    return {
      blockers,
      warnings: await this.warnings(scope, campaign, steps, accounts),
      recipients,
      capacity: { accounts, per_day: tomorrowOf(accounts, scope.clock.now()) },
      estimated_completion_at: recipients.sendable > 0 ? await this.estimate(scope, campaign, steps, accounts) : null,
    };
  }

  private async warnings(
    scope: WorkspaceScope,
    campaign: Campaign,
    steps: readonly StepOutline[],
    accounts: readonly SenderFacts[],
  ): Promise<PreflightWarning[]> {
    const texts = new StepTexts();
    for await (const records of iterateStepRecords(scope, steps))
      await this.steps.finish(scope.workspace_id, texts.examine(records));
    const active = accounts.filter((account) => account.is_active);
    const activeIds = active.map(({ id }) => id);
    await this.domains.checkMissing(scope, activeIds);
    const unauthenticated = await findUnauthenticated(scope, activeIds);
    const canSend = active.some((account) => claimSize(account) > 0);
    const settings = await settingFacts(scope);
    const counts = {
      missing_variables: await countLacking(scope, campaign.id, texts.neededVariables, this.blacklist),
      ...texts.counts(campaign, settings.has_postal_address),
      domain_not_authenticated: unauthenticated.length,
      account_disabled: accounts.length - active.length,
      no_capacity: canSend ? 0 : active.length,
      unverified_tracking_domain: settings.has_unverified_domain ? 1 : 0,
    };
    return warningsOf(counts, { foreign_merge_tags: texts.foreignTags });
  }

  private async estimate(
    scope: WorkspaceScope,
    campaign: Campaign,
    steps: readonly StepOutline[],
    accounts: readonly SenderFacts[],
  ): Promise<Date | null> {
    const now = scope.clock.now();
    const rows = await dueRows(scope, campaign, this.blacklist, MAX_ITERATIONS);
    // There may be further ones, and each takes an iteration at least.
    if (rows.length === MAX_ITERATIONS) return null;
    const groups = rows.flatMap((row) => groupsOf(campaign, steps, row, now));
    const delays = steps.map((step) => step.delay_minutes);
    const limits = await simulatedLimits(scope, campaign);
    const work = estimateCompletion({ ...campaign, limits, delays }, accounts, groups);
    return this.steps.finish(scope.workspace_id, work);
  }
}

/** The accounts that the campaign sends from, also those that are switched off. */
async function accountsOf(scope: WorkspaceScope, { id, needs_account: needsOwn }: Campaign): Promise<SenderFacts[]> {
  if (needsOwn) return [];
  return (await senderFacts(scope, id, [])).filter((account) => account.in_rotation);
}

function recipientsOf(counts: readonly RecipientCount[]): CampaignPreflightReport['recipients'] {
  const skipped = counts.filter(({ kind }) => kind !== 'sendable' && kind !== 'ended');
  return {
    enrolled: counts.reduce((sum, { count }) => sum + count, 0),
    sendable: counts.find(({ kind }) => kind === 'sendable')?.count ?? 0,
    skipped: Object.fromEntries(skipped.map(({ kind, count }) => [kind, count])),
  };
}

/** The sum of tomorrow's limits. */
const tomorrowOf = (accounts: readonly SenderFacts[], now: Date): number =>
  accounts.reduce((sum, account) => sum + (account.is_active ? dailyCapacity(account, now).tomorrow : 0), 0);

/** The delay of the first step counts from the start of a campaign that was never started. */
function groupsOf({ status }: Campaign, steps: readonly StepOutline[], row: DueRow, now: Date): DueGroup[] {
  const step = steps.findIndex(({ id }) => id === row.step_id);
  if (step < 0) return [];
  const isUnstarted = status === 'draft' && step === 0 && row.is_pending;
  const earliest = new Date(now.getTime() + (isUnstarted ? (steps[0]?.delay_minutes ?? 0) * MINUTE_MS : 0));
  const due = row.due_at > earliest ? row.due_at : earliest;
  return [{ step, timezone: row.timezone, count: row.count, due_at: due, since: due }];
}
