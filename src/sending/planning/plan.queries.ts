import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { drawnVariant, earliestInstant, type WaitReason } from '../../campaigns/index.js';
import { lockAbsences } from '../absences/index.js';
import { lockLacking, MISSING_VARIABLE } from '../required-variables.queries.js';
import { CANCELLED_BY_MOVE } from '../results/index.js';
import { type CampaignFacts, contactRules, contactZones } from '../timing/index.js';
import type { AccountCapacity, PlanningCapacity } from './capacity.queries.js';
import { type DueStepOf, findUnmet } from './step-conditions.queries.js';
import type { StepOptions } from './step-options.js';

const BATCH = 500;

/** An enrollment whose step was due. `planned` is false if a message for that step exists already. */
export interface Planned {
  readonly enrollment_id: number;
  readonly step_id: number;
  readonly email_account_id: number;
  readonly planned: boolean;
}

/** A taken step, with the time until which its message waits and the reason; without a reason it is due. */
type QueuedStep = TakenStep & { readonly until: Date | null; readonly reason: WaitReason | null };

/** A due step that is taken from its enrollment, and the account that sends it. */
interface TakenStep {
  readonly enrollment_id: number;
  readonly contact_id: number;
  readonly step_id: number;
  readonly email_account_id: number;
  /** The variant that was drawn before, if it is planned again. */
  readonly variant_id: number | null;
  /** It was due before, and has waited for the window of its contact. */
  readonly was_postponed: boolean;
}

/** The campaign that is planned. */
export interface PlannedCampaign extends CampaignFacts {
  readonly id: number;
  /** The time of the database, at which steps are due. */
  readonly now: Date;
  /** Null if no step has any. */
  readonly step_options: readonly StepOptions[] | null;
}

/** What became of due steps. */
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
  const due = await takeDue(scope, campaign.id, capacity);
  if (due.length === 0) return { planned: [], passedOver: [], postponed: 0 };
  const unmet = await unmetOf(scope, campaign, due);
  const taken = due.filter((step) => !unmet.has(step.enrollment_id));
  const waiting = await withWaits(scope, campaign, taken);
  if (waiting.length < taken.length) await takeLater(scope, campaign.id, taken, waiting);
  const [queued, postponed] = partition(campaign, waiting, capacity.senders);
  if (postponed.length > 0) await postpone(scope, campaign.id, postponed);
  return {
    planned: queued.length > 0 ? await queueTaken(scope, campaign, queued) : [],
    passedOver: due.filter((step) => unmet.has(step.enrollment_id)),
    postponed: postponed.length,
  };
}

/**
 * If contacts have windows of their own, a million of them may wait for these. A part of them gets messages, which the API
 * shows; the steps of the others are due again when their windows open, so that they neither fill the queue nor delay others.
 */
function partition(
  { schedule }: PlannedCampaign,
  steps: readonly QueuedStep[],
  accounts: readonly AccountCapacity[],
): [queued: QueuedStep[], postponed: QueuedStep[]] {
  const capacity = new Map(accounts.map((account) => [account.id, account.closed_capacity]));
  const [queued, postponed]: [QueuedStep[], QueuedStep[]] = [[], []];
  for (const step of steps) {
    const left = capacity.get(step.email_account_id) ?? 0;
    const isClosed = schedule?.contact_timezone && step.reason === 'outside_schedule' && step.until !== null;
    if (isClosed) capacity.set(step.email_account_id, left - 1);
    (isClosed && left <= 0 ? postponed : queued).push(step);
  }
  return [queued, postponed];
}

async function postpone(scope: WorkspaceScope, campaignId: number, steps: readonly QueuedStep[]): Promise<void> {
  await scope.execute(
    sql`INSERT INTO due_steps (workspace_id, enrollment_id, campaign_id, email_account_id, variant_id, due_at, postponed_until)
        SELECT ${scope}, enrollment.id, ${campaignId}, enrollment.email_account_id, step.variant_id, step.until, step.until
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

/** Whether the contacts lack a required variable, by enrollment, for the steps that have some; see {@link lockLacking}. */
async function lackingOf(
  scope: WorkspaceScope,
  { step_options: options }: PlannedCampaign,
  taken: readonly TakenStep[],
): Promise<ReadonlyMap<number, boolean | undefined>> {
  const requiring = new Set(options?.filter(({ requires }) => requires).map(({ id }) => id));
  const steps = taken.filter((step) => requiring.has(step.step_id));
  const lacking = await lockLacking(scope, steps);
  return new Map(steps.map((step, index) => [step.enrollment_id, lacking[index]]));
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
        SELECT ${scope}, enrollment.id, ${campaignId}, enrollment.email_account_id, later.variant_id, ${scope.now}
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
): Promise<QueuedStep[]> {
  const lacking = await lackingOf(scope, campaign, taken);
  const contactIds = taken.map((step) => step.contact_id);
  const absences = await lockAbsences(scope, contactIds);
  const zones = await contactZones(scope, campaign, contactIds);
  return taken.flatMap((step) => {
    const { contact_id: id } = step;
    const lacksVariable = lacking.has(step.enrollment_id) ? lacking.get(step.enrollment_id) : false;
    if (lacksVariable === undefined) return [];
    const facts = { absence: absences.get(id) ?? null, timezone: zones.get(id) ?? null, lacks_variable: lacksVariable };
    const { at, reason } = earliestInstant(campaign.now, contactRules(campaign, facts));
    return [{ ...step, until: at, reason }];
  });
}

/** Also locks the enrollments, for which no result can be recorded then. Those that are locked are taken later. */
function takeDue(scope: WorkspaceScope, campaignId: number, capacity: PlanningCapacity): Promise<TakenStep[]> {
  const dueNow = sql`due.workspace_id = ${scope} AND due.campaign_id = ${campaignId} AND due.due_at <= ${scope.now}`;
  return scope.query<TakenStep & Record<string, unknown>>(
    sql`WITH known AS (${dueWithSender(scope, dueNow, capacity.senders)}),
        fresh AS (${dueWithoutSender(scope, dueNow, capacity.rotation)}),
        taken AS (SELECT * FROM known UNION ALL SELECT * FROM fresh),
        unscheduled AS (
          DELETE FROM due_steps due USING taken
          WHERE due.workspace_id = ${scope} AND due.enrollment_id = taken.enrollment_id
        )
        SELECT taken.enrollment_id, taken.contact_id, taken.step_id, taken.email_account_id, taken.variant_id,
          taken.was_postponed FROM taken
        WHERE taken.status IN ('pending', 'in_progress') AND taken.step_id IS NOT NULL`,
  );
}

/** A step for which the enrollment has a message already, with or without a result, is not queued, unless a move cancelled it. */
function queueTaken(
  scope: WorkspaceScope,
  { id: campaignId, step_options: options }: PlannedCampaign,
  taken: readonly QueuedStep[],
): Promise<Planned[]> {
  const varying = options?.filter(({ varies }) => varies).map(({ id }) => id) ?? [];
  return scope.query<Planned & Record<string, unknown>>(
    sql`WITH taken AS (
          SELECT * FROM unnest(
            ${taken.map((step) => step.enrollment_id)}::bigint[], ${taken.map((step) => step.contact_id)}::bigint[],
            ${taken.map((step) => step.step_id)}::bigint[], ${taken.map((step) => step.email_account_id)}::bigint[],
            ${taken.map(({ until }) => until)}::timestamptz[], ${taken.map(({ reason }) => reason)}::text[],
            ${taken.map((step) => step.variant_id)}::bigint[])
            WITH ORDINALITY AS taken
              (enrollment_id, contact_id, step_id, email_account_id, until, reason, variant_id, position)
        ), written AS (
          INSERT INTO queued_messages
            (workspace_id, campaign_id, enrollment_id, contact_id, step_id, email_account_id, variant_id, reason, next_attempt_at,
             waits_for_contact, created_at, updated_at)
          SELECT ${scope}, ${campaignId}, taken.enrollment_id, taken.contact_id, taken.step_id, taken.email_account_id,
            CASE WHEN taken.step_id = ANY(${varying}::bigint[]) THEN ${variantOfTaken(scope)} END, taken.reason, CASE WHEN taken.reason IS NULL THEN ${scope.now} ELSE coalesce(taken.until, 'infinity') END,
            coalesce(taken.reason = ${MISSING_VARIABLE}, FALSE), ${scope.now}, ${scope.now}
          FROM taken WHERE NOT EXISTS (
            SELECT 1 FROM messages earlier WHERE earlier.workspace_id = ${scope}
              AND earlier.enrollment_id = taken.enrollment_id AND earlier.step_id = taken.step_id
              AND NOT (earlier.status = 'cancelled' AND earlier.reason = ${CANCELLED_BY_MOVE} AND earlier.uncertain_attempts = 0))
          ORDER BY taken.position
          ON CONFLICT (workspace_id, enrollment_id, step_id) DO NOTHING RETURNING enrollment_id
        )
        SELECT taken.enrollment_id, taken.step_id, taken.email_account_id, written.enrollment_id IS NOT NULL AS planned
        FROM taken LEFT JOIN written ON written.enrollment_id = taken.enrollment_id`,
  );
}

/** SQL expression: the variant that was drawn for a taken step before, unless it was removed, or else the one that is drawn now. */
const variantOfTaken = (scope: WorkspaceScope): Sql => sql`coalesce(
  (SELECT variant.id FROM step_variants variant
   WHERE variant.workspace_id = ${scope} AND variant.step_id = taken.step_id
     AND (variant.id = taken.variant_id OR variant.id IN (
       SELECT earlier.variant_id FROM messages earlier WHERE earlier.workspace_id = ${scope}
         AND earlier.enrollment_id = taken.enrollment_id AND earlier.step_id = taken.step_id)) LIMIT 1),
  ${drawnVariant(scope, sql`taken.enrollment_id`, sql`taken.step_id`)})`;

const TAKEN_COLUMNS = sql`due.enrollment_id, due.variant_id, coalesce(due.due_at = due.postponed_until, FALSE) AS was_postponed, enrollment.contact_id, enrollment.current_step_id AS step_id, enrollment.status`;

const dueSteps = (scope: WorkspaceScope): Sql => sql`due_steps due
  JOIN enrollments enrollment ON enrollment.workspace_id = ${scope} AND enrollment.id = due.enrollment_id`;

/** Selects due steps of enrollments that have an account, up to its capacity. */
const dueWithSender = (scope: WorkspaceScope, dueNow: Sql, senders: readonly AccountCapacity[]): Sql =>
  sql`SELECT due.*, account.id AS email_account_id
      FROM unnest(${senders.map(({ id }) => id)}::bigint[], ${senders.map(({ capacity }) => capacity)}::int[])
        AS account (id, capacity)
      CROSS JOIN LATERAL (
        SELECT ${TAKEN_COLUMNS} FROM ${dueSteps(scope)}
        WHERE ${dueNow} AND due.email_account_id = account.id
        ORDER BY due.due_at, due.enrollment_id LIMIT least(account.capacity, ${BATCH}::int)
        FOR UPDATE SKIP LOCKED) due`;

/**
 * Selects due steps of enrollments without an account, and assigns them to the accounts of the rotation by their ID. If an
 * earlier message of the enrollment has no result yet, or was cancelled, its account sends this one, too.
 */
const dueWithoutSender = (scope: WorkspaceScope, dueNow: Sql, rotation: readonly AccountCapacity[]): Sql =>
  sql`SELECT due.*, coalesce(
        (SELECT earlier.email_account_id FROM all_messages earlier
         WHERE earlier.workspace_id = ${scope} AND earlier.enrollment_id = due.enrollment_id ORDER BY earlier.id DESC LIMIT 1),
        (${rotation.map(({ id }) => id)}::bigint[])[1 + due.enrollment_id % ${Math.max(rotation.length, 1)}::int]) AS email_account_id
      FROM (
        SELECT ${TAKEN_COLUMNS} FROM ${dueSteps(scope)}
        WHERE ${dueNow} AND due.email_account_id IS NULL
        ORDER BY due.due_at, due.enrollment_id LIMIT ${batchCapacity(rotation)} FOR UPDATE SKIP LOCKED) due`;

/** The batch is spread evenly, so its share must fit into the account with the least capacity. */
const batchCapacity = (rotation: readonly AccountCapacity[]): number =>
  rotation.length === 0 ? 0 : Math.min(BATCH, ...rotation.map(({ capacity }) => capacity * rotation.length));
