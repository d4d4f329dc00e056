import { Processor } from '@nestjs/bullmq';
import { Log } from '@outreach/logging';
import { isStatementTimeout } from '@outreach/database';
import { drainOptions, type JobKey, JobQueue, UntouchedKeys } from '@outreach/job-queue';
import { CampaignCompletion, EnrollmentTransitions } from '../../campaigns/index.js';
import { Database, type Sql, sql, Statistics, type WorkspacesInTime } from '../../platform/database/index.js';
import { DrainProcessor } from '../../platform/queue/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { campaignFacts, limitedBy, lockPlanningLimits } from '../rules/index.js';
import { enrollmentsPlanned } from '../metrics/index.js';
import { PLANNING, SENDING } from '../queues.js';
import { accountCapacities, type AccountCapacity, MIN_CAPACITY } from './capacity.queries.js';
import { dueCampaigns } from '../due-work.cross-tenant.js';
import { untouchedCampaigns } from './due-campaigns.cross-tenant.js';
import { planDue, type Planned, type PlannedCampaign } from './plan.queries.js';
import { stepOptionsOf } from './step-options.js';

const MAX_BATCHES = 10;

/** A hundred times what a statement takes with current statistics. */
const STATEMENT_MS = 2_000;

/** How many campaigns are planned at the same time. */
const MAX_CAMPAIGNS = 5;

/** Queues messages for the due enrollments of active campaigns. Paused campaigns are not read. */
@Processor(PLANNING, drainOptions(4))
export class PlanningProcessor extends DrainProcessor {
  private readonly statistics: Statistics;
  private readonly untouched: UntouchedKeys;

  constructor(
    private readonly transitions: EnrollmentTransitions,
    private readonly completion: CampaignCompletion,
    database: Database,
    jobQueue: JobQueue,
    log: Log,
  ) {
    super(PLANNING, MAX_CAMPAIGNS, { database, jobQueue, log });
    this.untouched = new UntouchedKeys(database, untouchedCampaigns);
    this.statistics = new Statistics(database);
  }

  protected override dueKeys(workspaces: WorkspacesInTime): Sql {
    return dueCampaigns(workspaces);
  }

  protected override untouchedKeys(): Promise<readonly JobKey[]> {
    return this.untouched.find();
  }

  protected override async drain(
    scope: WorkspaceScope,
    campaignId: number,
    stopping: AbortSignal,
  ): Promise<'done' | 'more'> {
    for (let batch = 0; batch < MAX_BATCHES && !stopping.aborted; batch++) {
      const { planned, others, ended, accounts } = await this.planWithCurrentStatistics(scope, campaignId);
      enrollmentsPlanned.inc(planned.filter((each) => each.planned).length);
      await this.completion.completeIfDone(scope, ended);
      this.dependencies.jobQueue.enqueue(
        SENDING,
        [...accounts].map((id) => ({ workspace_id: scope.workspace_id, id })),
      );
      if (planned.length + others === 0) return 'done';
    }
    return 'more';
  }

  /**
   * A campaign may be planned before the statistics of PostgreSQL know its contacts. Then a statement could compare each of
   * them with each other one for minutes, and a pause would wait for it. What waits for a lock is repeated, too, without a limit.
   */
  private async planWithCurrentStatistics(scope: WorkspaceScope, campaignId: number): Promise<PlannedBatch> {
    try {
      return await scope.transactionWithin(STATEMENT_MS, (tx) => this.planBatch(tx, campaignId));
    } catch (error) {
      if (!isStatementTimeout(error)) throw error;
      const tables = await this.statistics.refresh();
      this.dependencies.log.warn('planning took long, and is repeated', { campaign_id: campaignId, analyzed: tables });
      return scope.transaction((tx) => this.planBatch(tx, campaignId));
    }
  }

  private async planBatch(scope: WorkspaceScope, campaignId: number): Promise<PlannedBatch> {
    // A change of the schedule waits for this transaction, and then finds the messages that it has queued.
    const [active] = await scope.query<ActiveCampaign>(
      sql`SELECT campaign.id, ${campaignFacts}, ${scope.now} AS now,
            ${stepOptionsOf(scope)} AS step_options, ${limitedBy} AS limited_by
          FROM campaigns campaign
          WHERE campaign.workspace_id = ${scope} AND campaign.id = ${campaignId} AND campaign.status = 'active'
          FOR SHARE`,
    );
    if (!active) return NOTHING_PLANNED;
    const limits = await lockPlanningLimits(scope, active);
    // A limit was removed before the campaign could be locked.
    if (!limits) return NOTHING_PLANNED;
    const campaign = { ...active, limits };
    const capacities = await accountCapacities(scope, campaign);
    const senders = capacities.filter(({ capacity }) => capacity >= MIN_CAPACITY);
    const { planned, passedOver, postponed } = await planDue(scope, campaign, {
      senders,
      rotation: rotationOf(senders),
    });
    // A step that was sent before, e.g. because steps were reordered, is skipped: no contact gets it twice.
    const repeated = planned.filter((each) => !each.planned);
    const ended = repeated.length > 0 ? await this.transitions.afterSend(scope, repeated) : [];
    if (passedOver.length > 0) ended.push(...(await this.transitions.passOver(scope, passedOver)));
    const places = planned.filter((each) => each.is_reserved).length;
    for (const limit of limits) await limit.reserve(places);
    const waiting = limits.flatMap((limit) => limit.accounts);
    const accounts = new Set([...waiting, ...planned.map((each) => each.email_account_id)]);
    for (const { id, is_leased: isLeased } of capacities) if (isLeased) accounts.delete(id);
    return { planned, others: passedOver.length + postponed, ended, accounts };
  }
}

/** The campaign, before what limits it is locked. */
type ActiveCampaign = Omit<PlannedCampaign, 'limits'> & { readonly limited_by: readonly string[] };

/**
 * The planned enrollments of a batch, how many others are not due any more, and the campaigns in which enrollments have ended.
 */
interface PlannedBatch {
  readonly planned: readonly Planned[];
  readonly others: number;
  readonly ended: readonly number[];
  /** The accounts that have due messages now, except those that another worker has leased. */
  readonly accounts: ReadonlySet<number>;
}

const NOTHING_PLANNED: PlannedBatch = { planned: [], others: 0, ended: [], accounts: new Set() };

/**
 * New contacts are assigned to accounts that can send today. If none can, they wait for the accounts of the campaign.
 */
function rotationOf(accounts: readonly AccountCapacity[]): AccountCapacity[] {
  const rotation = accounts.filter((account) => account.in_rotation);
  const usable = rotation.filter((account) => account.usable);
  return usable.length > 0 ? usable : rotation;
}
