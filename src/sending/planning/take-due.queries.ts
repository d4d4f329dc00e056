import { ANY_ACCOUNT } from '../../campaigns/index.js';
import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { PlanningLimit } from '../rules/index.js';
import type { AccountCapacity, PlanningCapacity } from './capacity.queries.js';

const BATCH = 500;

/** A due step that is taken from its enrollment, and the account that sends it. */
export interface TakenStep {
  readonly enrollment_id: number;
  readonly contact_id: number;
  readonly step_id: number;
  readonly email_account_id: number;
  /** The variant that was drawn before, if it is planned again. */
  readonly variant_id: number | null;
  /** It was due before, and has waited for the window of its contact. */
  readonly was_postponed: boolean;
  /** Nothing was sent to the contact yet. */
  readonly is_new: boolean;
}

type PlannedWork = { readonly id: number; readonly limits: readonly PlanningLimit[] };

/** Also locks the enrollments, for which no result can be recorded then. Those that are locked are taken later. */
export const takeDue = (
  scope: WorkspaceScope,
  campaign: PlannedWork,
  capacity: PlanningCapacity,
): Promise<TakenStep[]> => scope.query<TakenStep>(dueToTake(scope, campaign, capacity));

/** The statement of {@link takeDue}. */
export function dueToTake(
  scope: WorkspaceScope,
  { id, limits }: PlannedWork,
  { senders, rotation }: PlanningCapacity,
): Sql {
  const dueNow = sql`due.workspace_id = ${scope} AND due.campaign_id = ${id} AND due.due_at <= ${scope.now}`;
  const limit = batchCapacity(rotation);
  const maxNew = Math.min(limit, ...limits.map(({ free }) => free));
  return sql`WITH known AS (${dueWithSender(scope, dueNow, senders)}),
        detached AS (${dueWithoutSender(scope, sql`${dueNow} AND due.email_account_id = ${ANY_ACCOUNT}`, limit)}),
        fresh AS (${dueWithoutSender(scope, sql`${dueNow} AND due.email_account_id IS NULL`, maxNew)}),
        unassigned AS (SELECT * FROM detached UNION ALL SELECT * FROM fresh),
        earlier AS (${accountsOfEarlierMessages(scope, sql`SELECT unassigned.enrollment_id FROM unassigned`)}),
        taken AS (
          SELECT * FROM known
          UNION ALL
          SELECT unassigned.*, coalesce(earlier.email_account_id, ${accountFor(sql`unassigned.enrollment_id`, rotation)})
          FROM unassigned LEFT JOIN earlier ON earlier.enrollment_id = unassigned.enrollment_id
        ), unscheduled AS (
          DELETE FROM due_steps due
          WHERE due.workspace_id = ${scope.unknownToPlanner} AND due.enrollment_id = ANY (ARRAY(SELECT taken.enrollment_id
            FROM taken))
        )
        SELECT taken.enrollment_id, taken.contact_id, taken.step_id, taken.email_account_id, taken.variant_id,
          taken.was_postponed, taken.status = 'pending' AS is_new FROM taken
        WHERE taken.status IN ('pending', 'in_progress') AND taken.step_id IS NOT NULL`;
}

const TAKEN_COLUMNS = sql`due.enrollment_id, due.variant_id, coalesce(due.due_at = due.postponed_until,
  FALSE) AS was_postponed, enrollment.contact_id, enrollment.current_step_id AS step_id, enrollment.status`;

/** In a workspace that the planner takes for empty, it would compare each due step with each enrollment. */
const dueSteps = (scope: WorkspaceScope): Sql => sql`due_steps due
  JOIN enrollments enrollment ON enrollment.workspace_id = ${scope.unknownToPlanner} AND enrollment.id = due.enrollment_id`;

/**
 * The order of the index `due_steps_by_time`. PostgreSQL does not know that a column which IS NULL is constant: without the
 * account it would read and sort all due steps for each batch.
 */
const inIndexOrder = sql`ORDER BY due.email_account_id, due.due_at, due.enrollment_id`;

/** Selects due steps of enrollments that have an account, up to its capacity. */
const dueWithSender = (scope: WorkspaceScope, dueNow: Sql, senders: readonly AccountCapacity[]): Sql =>
  sql`SELECT due.*, account.id AS email_account_id
      FROM unnest(${senders.map(({ id }) => id)}::bigint[], ${senders.map(({ capacity }) => capacity)}::int[])
        AS account (id, capacity)
      CROSS JOIN LATERAL (
        SELECT ${TAKEN_COLUMNS} FROM ${dueSteps(scope)}
        WHERE ${dueNow} AND due.email_account_id = account.id
        ${inIndexOrder} LIMIT least(account.capacity, ${BATCH}::int)
        FOR UPDATE SKIP LOCKED) due`;

/** Selects at most `limit` due steps of enrollments without an account. */
const dueWithoutSender = (scope: WorkspaceScope, which: Sql, limit: number): Sql =>
  sql`SELECT due.* FROM (
        SELECT ${TAKEN_COLUMNS} FROM ${dueSteps(scope)}
        WHERE ${which}
        ${inIndexOrder} LIMIT ${limit} FOR UPDATE SKIP LOCKED) due`;

/**
 * Selects the accounts that send the steps of enrollments without an account, because an earlier message of theirs has no
 * result yet or was cancelled. It reads the messages of a batch together: for each of its enrollments, a planner without
 * statistics would read those of the whole workspace.
 */
const accountsOfEarlierMessages = (scope: WorkspaceScope, enrollments: Sql): Sql =>
  sql`SELECT DISTINCT ON (message.enrollment_id) message.enrollment_id, message.email_account_id FROM all_messages message
      WHERE message.workspace_id = ${scope} AND message.enrollment_id = ANY (ARRAY(${enrollments}))
      ORDER BY message.enrollment_id, message.id DESC`;

/** SQL expression: one of the accounts of the rotation, by the ID of the enrollment; null if there is none. */
const accountFor = (enrollmentId: Sql, rotation: readonly AccountCapacity[]): Sql =>
  sql`(${rotation.map(({ id }) => id)}::bigint[])[1 + ${enrollmentId} % ${Math.max(rotation.length, 1)}::int]`;

/** The batch is spread evenly, so its share must fit into the account with the least capacity. */
const batchCapacity = (rotation: readonly AccountCapacity[]): number =>
  rotation.length === 0 ? 0 : Math.min(BATCH, ...rotation.map(({ capacity }) => capacity * rotation.length));
