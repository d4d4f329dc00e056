import { earliestInstant } from '@outreach/time-windows';
import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { drawnVariant, dueAccount } from '../../campaigns/index.js';
import { CANCELLED_BY_MOVE } from '../results/index.js';
import {
  type CampaignFacts,
  contactReasons,
  contactRules,
  lockContactFacts,
  type PlanningLimit,
  RELEASED_BY_CHANGE,
  UNPLANNED_STEPS,
  type WaitReason,
} from '../rules/index.js';
import type { AccountCapacity, PlanningCapacity } from './capacity.queries.js';
import { type DueStepOf, findUnmet } from './step-conditions.queries.js';
import type { StepOptions } from './step-options.js';
import { takeDue, type TakenStep } from './take-due.queries.js';

/** An enrollment whose step was due. `planned` is false if a message for that step exists already. */
export interface Planned {
  readonly enrollment_id: number;
  readonly step_id: number;
  readonly email_account_id: number;
  readonly planned: boolean;
  /** Whether its message is reserved for a day. */
  readonly is_reserved: boolean;
}

/** A taken step with what is stored with its message. */
interface QueuedStep extends WaitingStep {
  /** The day for which it is reserved as the first message to its contact; null if it needs no reservation now. */
  readonly new_on: string | null;
}

/** A taken step, with the time until which its message waits and the reason; without a reason it is due. */
type WaitingStep = TakenStep & { readonly until: Date | null; readonly reason: WaitReason | null };

export interface PlannedCampaign extends CampaignFacts {
  readonly id: number;
  /** The time of the database, at which steps are due. */
  readonly now: Date;
  /** Null if no step has any. */
  readonly step_options: readonly StepOptions[] | null;
  readonly limits: readonly PlanningLimit[];
}

export interface PlannedSteps {
  readonly planned: readonly Planned[];
  /** Their conditions do not hold. */
  readonly passedOver: readonly DueStepOf[];
  /** How many wait for the windows of their contacts. */
  readonly postponed: number;
}

/**
 * Inserts a queued message for each due step of the campaign, up to the capacity of its account. The steps are selected
 * per account, so that an account without capacity does not block the others. The message is inserted by a second
 * statement: its snapshot contains the result of an earlier message that was recorded until the enrollment was locked.
 */
export async function planDue(
  scope: WorkspaceScope,
  campaign: PlannedCampaign,
  capacity: PlanningCapacity,
): Promise<PlannedSteps> {
  const due = await takeDue(scope, campaign, capacity);
  if (due.length === 0) return { planned: [], passedOver: [], postponed: 0 };
  const unmet = await unmetOf(scope, campaign, due);
  const taken = due.filter((step) => !unmet.has(step.enrollment_id));
  const waiting = await withWaits(scope, campaign, taken);
  if (waiting.length < taken.length) await takeLater(scope, campaign.id, taken, waiting);
  const [queued, postponed] = partition(campaign, waiting, capacity.senders);
  if (postponed.length > 0) await postpone(scope, campaign.id, postponed);
  return {
    planned: queued.length > 0 ? await queueTaken(scope, campaign, withPlaces(campaign, queued)) : [],
    passedOver: due
      .filter((step) => unmet.has(step.enrollment_id))
      .map(({ enrollment_id, step_id }) => ({ enrollment_id, step_id })),
    postponed: postponed.length,
  };
}

/**
 * If contacts have windows of their own, a million of them may wait for these. A part of them gets messages, which the API
 * shows; the steps of the others are due again when their windows open, so that they neither fill the queue nor delay others.
 */
function partition(
  { schedule }: PlannedCampaign,
  steps: readonly WaitingStep[],
  accounts: readonly AccountCapacity[],
): [queued: WaitingStep[], postponed: WaitingStep[]] {
  const unplanned = UNPLANNED_STEPS.filter((reason) => contactReasons(schedule).includes(reason));
  const capacity = new Map(accounts.map((account) => [account.id, account.closed_capacity]));
  const [queued, postponed]: [WaitingStep[], WaitingStep[]] = [[], []];
  for (const step of steps) {
    const left = capacity.get(step.email_account_id) ?? 0;
    const isClosed = step.reason !== null && unplanned.includes(step.reason) && step.until !== null;
    if (isClosed) capacity.set(step.email_account_id, left - 1);
    (isClosed && left <= 0 ? postponed : queued).push(step);
  }
  return [queued, postponed];
}

async function postpone(scope: WorkspaceScope, campaignId: number, steps: readonly WaitingStep[]): Promise<void> {
  await scope.execute(
    sql`INSERT INTO due_steps (workspace_id, enrollment_id, campaign_id, email_account_id, variant_id, due_at, postponed_until)
        SELECT ${scope}, enrollment.id, ${campaignId}, ${dueAccount(sql`enrollment`)}, step.variant_id, step.until, step.until
        FROM unnest(${steps.map((step) => step.enrollment_id)}::bigint[], ${steps.map((step) => step.variant_id)}::bigint[],
          ${steps.map(({ until }) => until)}::timestamptz[]) AS step (enrollment_id, variant_id, until)
        JOIN enrollments enrollment ON enrollment.workspace_id = ${scope} AND enrollment.id = step.enrollment_id
        ORDER BY enrollment.id`,
  );
}

/** The enrollments whose step has a condition that does not hold. It held for steps that are postponed since. */
function unmetOf(
  scope: WorkspaceScope,
  { step_options: options }: PlannedCampaign,
  due: readonly TakenStep[],
): Promise<ReadonlySet<number>> {
  const conditions = new Map(options?.flatMap(({ id, only_if }) => (only_if ? [[id, only_if] as const] : [])));
  return findUnmet(
    scope,
    due.flatMap((step) => {
      const condition = conditions.get(step.step_id);
      return condition && !step.was_postponed ? [{ ...step, only_if: condition }] : [];
    }),
  );
}

/** Steps whose contacts another transaction is changing are due again at once. */
async function takeLater(
  scope: WorkspaceScope,
  campaignId: number,
  taken: readonly TakenStep[],
  queued: readonly TakenStep[],
): Promise<void> {
  const planned = new Set(queued.map((step) => step.enrollment_id));
  const others = taken.filter((step) => !planned.has(step.enrollment_id));
  await scope.execute(
    sql`INSERT INTO due_steps (workspace_id, enrollment_id, campaign_id, email_account_id, variant_id, due_at)
        SELECT ${scope}, enrollment.id, ${campaignId}, ${dueAccount(sql`enrollment`)}, later.variant_id, ${scope.now}
        FROM unnest(${others.map((step) => step.enrollment_id)}::bigint[], ${others.map((step) => step.variant_id)}::bigint[])
          AS later (enrollment_id, variant_id)
        JOIN enrollments enrollment ON enrollment.workspace_id = ${scope} AND enrollment.id = later.enrollment_id`,
  );
}

/** The messages to contacts that may not be written to now wait until they may. Leaves out contacts that are being changed. */
async function withWaits(
  scope: WorkspaceScope,
  campaign: PlannedCampaign,
  taken: readonly TakenStep[],
): Promise<WaitingStep[]> {
  const requiring = new Set(campaign.step_options?.filter(({ requires }) => requires).map(({ id }) => id));
  const recipients = taken.map((step) => ({ ...step, has_requirements: requiring.has(step.step_id) }));
  const contacts = await lockContactFacts(scope, campaign, recipients);
  return taken.flatMap((step) => {
    const contact = contacts.get(step.contact_id);
    if (contact?.is_changing) return [];
    const { at, reason } = earliestInstant(campaign.now, contactRules(campaign, contact ?? {}));
    return [{ ...step, until: at, reason }];
  });
}

/** A first message that waits for its contact until another day gets its place then. */
function withPlaces({ limits }: PlannedCampaign, steps: readonly WaitingStep[]): QueuedStep[] {
  const placeOf = ({ is_new: isNew, until }: WaitingStep) =>
    isNew ? limits.map(({ take }) => take(until)).find((day) => day !== null) : null;
  return steps.map((step) => ({ ...step, new_on: placeOf(step) ?? null }));
}

/** A step for which the enrollment has a message already, with or without a result, is not queued, unless a move cancelled it. */
async function queueTaken(
  scope: WorkspaceScope,
  { id: campaignId, step_options: options }: PlannedCampaign,
  taken: readonly QueuedStep[],
): Promise<Planned[]> {
  const varying = options?.filter(({ varies }) => varies).map(({ id }) => id) ?? [];
  const rows = await scope.query<{ enrollment_id: number; is_reserved: boolean }>(
    sql`INSERT INTO queued_messages
          (workspace_id, campaign_id, enrollment_id, contact_id, step_id, email_account_id, variant_id, new_on, reason,
           next_attempt_at, waits_for_contact, created_at, updated_at)
        SELECT ${scope}, ${campaignId}, chosen.enrollment_id, chosen.contact_id, chosen.step_id, chosen.email_account_id,
          chosen.variant, chosen.new_on, chosen.reason,
          CASE WHEN chosen.reason IS NULL THEN ${scope.now} ELSE coalesce(chosen.until, 'infinity') END,
          coalesce(chosen.reason = ANY(${[...RELEASED_BY_CHANGE]}::text[]), FALSE), ${scope.now}, ${scope.now}
        FROM (${chosenOf(scope, taken, varying)}) chosen ORDER BY chosen.position
        ON CONFLICT (workspace_id, enrollment_id, step_id) DO NOTHING RETURNING enrollment_id, new_on IS NOT NULL AS is_reserved`,
  );
  const isReserved = new Map(rows.map((row) => [row.enrollment_id, row.is_reserved]));
  return taken.map(({ enrollment_id: id, step_id: stepId, email_account_id: accountId }) => ({
    enrollment_id: id,
    step_id: stepId,
    email_account_id: accountId,
    planned: isReserved.has(id),
    is_reserved: isReserved.get(id) ?? false,
  }));
}

/** SELECT of the steps without a message. @param varying the steps with variants */
const chosenOf = (scope: WorkspaceScope, taken: readonly QueuedStep[], varying: readonly number[]): Sql => sql`
          SELECT taken.*, CASE WHEN taken.step_id = ANY(${[...varying]}::bigint[]) THEN ${variantOfTaken(scope)} END AS variant
          FROM unnest(
            ${taken.map((step) => step.enrollment_id)}::bigint[], ${taken.map((step) => step.contact_id)}::bigint[],
            ${taken.map((step) => step.step_id)}::bigint[], ${taken.map((step) => step.email_account_id)}::bigint[],
            ${taken.map(({ until }) => until)}::timestamptz[], ${taken.map(({ reason }) => reason)}::text[],
            ${taken.map((step) => step.variant_id)}::bigint[], ${taken.map((step) => step.new_on)}::date[])
            WITH ORDINALITY AS taken
              (enrollment_id, contact_id, step_id, email_account_id, until, reason, variant_id, new_on, position)
          WHERE NOT EXISTS (
            SELECT 1 FROM messages earlier WHERE earlier.workspace_id = ${scope}
              AND earlier.enrollment_id = taken.enrollment_id AND earlier.step_id = taken.step_id
              AND NOT (earlier.status = 'cancelled' AND earlier.reason = ${CANCELLED_BY_MOVE}
                AND earlier.uncertain_attempts = 0))`;

/**
 * SQL expression: the variant that was drawn for a taken step before, unless it was removed, or else the one that is drawn now.
 */
const variantOfTaken = (scope: WorkspaceScope): Sql => sql`coalesce(
  (SELECT variant.id FROM step_variants variant
   WHERE variant.workspace_id = ${scope} AND variant.step_id = taken.step_id
     AND (variant.id = taken.variant_id OR variant.id IN (
       SELECT earlier.variant_id FROM messages earlier WHERE earlier.workspace_id = ${scope}
         AND earlier.enrollment_id = taken.enrollment_id AND earlier.step_id = taken.step_id)) LIMIT 1),
  ${drawnVariant(scope, sql`taken.enrollment_id`, sql`taken.step_id`)})`;
