import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { Campaign } from '../campaign.entity.js';
import type { Step } from '../steps/step.entity.js';
import { isAfter, type CreationCursor } from './creation-cursor.js';

/** Rows that one statement changes, where it may be about a million: it takes well under half a second. */
const CHUNK_SIZE = 5000;

/** The enrollment `enrollment` still sends. */
export const isRunning: Sql = sql`enrollment.status IN ('pending', 'in_progress')`;

/** A number of minutes as an interval. */
export const minutes = (count: unknown): Sql => sql`make_interval(mins => ${count}::int)`;

const firstStep = (scope: WorkspaceScope, campaignId: number): Sql =>
  sql`SELECT id, delay_minutes FROM campaign_steps
      WHERE workspace_id = ${scope} AND campaign_id = ${campaignId} ORDER BY position LIMIT 1`;

/**
 * Puts those who were enrolled while the campaign had no steps at its first one, due after its delay from now.
 * @param limit how many at most; without it all
 * @returns how many there were
 */
export function assignFirstStep(
  scope: WorkspaceScope,
  campaignId: number,
  limit: number | null = null,
): Promise<number> {
  return scope.execute(
    sql`WITH first AS (${firstStep(scope, campaignId)}), waiting AS (
          SELECT enrollment.id FROM enrollments enrollment
          WHERE enrollment.workspace_id = ${scope} AND enrollment.campaign_id = ${campaignId}
            AND enrollment.current_step_id IS NULL AND ${isRunning}
          LIMIT ${limit} FOR UPDATE
        )
        UPDATE enrollments enrollment
        SET current_step_id = first.id, next_due_at = now() + ${minutes(sql`first.delay_minutes`)}, updated_at = now()
        FROM first, waiting WHERE enrollment.workspace_id = ${scope} AND enrollment.id = waiting.id`,
  );
}

/**
 * Makes a campaign's waiting enrollments ready for its start. Those enrolled while it was not active are due at once,
 * so that a start need not touch them, however many there are. Only where the first step has a delay, which counts
 * from the start, are they walked through, in chunks, each its own transaction unless one is open.
 * @returns how far it has come: called again, from there, under the campaign's lock, it finds what came in between
 */
export async function prepareForStart(
  scope: WorkspaceScope,
  campaign: Campaign,
  from: CreationCursor = { created_at: campaign.paused_at ?? campaign.completed_at ?? campaign.created_at, id: 0 },
): Promise<CreationCursor> {
  let assigned = CHUNK_SIZE;
  while (assigned === CHUNK_SIZE) assigned = await assignFirstStep(scope, campaign.id, CHUNK_SIZE);
  const [first] = await scope.query<Pick<Step, 'id' | 'delay_minutes'>>(firstStep(scope, campaign.id));
  let cursor = from;
  while (first && first.delay_minutes > 0) {
    const next = await delayNextChunk(scope, first, cursor);
    if (!next) break;
    cursor = next;
  }
  return cursor;
}

async function delayNextChunk(
  scope: WorkspaceScope,
  first: Pick<Step, 'id' | 'delay_minutes'>,
  from: CreationCursor,
): Promise<CreationCursor | undefined> {
  const due = sql`now() + ${minutes(first.delay_minutes)}`;
  const [last] = await scope.query<CreationCursor>(
    sql`WITH campaign AS (
          SELECT campaign.id FROM campaigns campaign
          JOIN campaign_steps step ON step.workspace_id = ${scope} AND step.campaign_id = campaign.id
          WHERE campaign.workspace_id = ${scope} AND step.id = ${first.id} AND campaign.status <> 'active'
        ), chunk AS MATERIALIZED (
          SELECT enrollment.id, enrollment.created_at FROM campaign, enrollments enrollment
          WHERE enrollment.workspace_id = ${scope} AND enrollment.campaign_id = campaign.id
            AND ${isAfter(from, sql`enrollment.created_at`, sql`enrollment.id`)}
          ORDER BY enrollment.created_at, enrollment.id LIMIT ${CHUNK_SIZE}
        ), delayed AS (
          UPDATE enrollments enrollment SET next_due_at = ${due} FROM chunk
          WHERE enrollment.workspace_id = ${scope} AND enrollment.id = chunk.id AND enrollment.status = 'pending'
            AND enrollment.current_step_id = ${first.id} AND enrollment.next_due_at < ${due}
        )
        SELECT created_at, id FROM chunk ORDER BY created_at DESC, id DESC LIMIT 1`,
  );
  return last;
}

/** Lets those who wait for a step wait so much longer, or shorter. */
export async function shiftDueTimes(scope: WorkspaceScope, stepId: number, byMinutes: number): Promise<void> {
  await scope.execute(
    sql`UPDATE enrollments SET next_due_at = next_due_at + ${minutes(byMinutes)}
        WHERE workspace_id = ${scope} AND current_step_id = ${stepId} AND next_due_at IS NOT NULL`,
  );
}

/**
 * Moves everybody on from a step that goes away. Who waits for it waits for the next one instead, counted from the same
 * instant; whose message was on its way, from now. After the last step nothing is left to send: they are completed.
 * When it was the only step, who was not sent anything yet stays and begins with the next that is made.
 */
export async function leaveStep(
  scope: WorkspaceScope,
  step: Step,
  { next, isOnly }: { readonly next: Step | undefined; readonly isOnly: boolean },
): Promise<void> {
  const target = sql`workspace_id = ${scope} AND current_step_id = ${step.id}`;
  if (next) {
    await scope.execute(
      sql`UPDATE enrollments enrollment SET current_step_id = ${next.id}, updated_at = now(), next_due_at = CASE
            WHEN NOT ${isRunning} THEN NULL
            WHEN next_due_at IS NULL THEN now() + ${minutes(next.delay_minutes)}
            ELSE next_due_at + ${minutes(next.delay_minutes - step.delay_minutes)} END
          WHERE ${target}`,
    );
    return;
  }
  const ends = isOnly ? sql`status = 'in_progress'` : isRunning;
  await scope.execute(
    sql`UPDATE enrollments enrollment SET current_step_id = NULL, next_due_at = NULL, updated_at = now(),
          status = CASE WHEN ${ends} THEN 'completed' ELSE status END,
          completed_at = CASE WHEN ${ends} THEN now() ELSE completed_at END
        WHERE ${target}`,
  );
}
