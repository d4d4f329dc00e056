import { sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { Campaign } from '../campaign/campaign.entity.js';
import type { Step } from '../steps/step.entity.js';
import { assignFirstStep, firstStepOf, minutes } from '../steps/waiting-enrollments.queries.js';
import { type CreationCursor, isAfter } from './creation-cursor.js';

/** The maximum number of rows that one statement updates: it takes well under half a second. */
const CHUNK_SIZE = 5000;

/**
 * Prepares the waiting enrollments of a campaign for its start. Contacts that were enrolled while it was not active are
 * due immediately, so that a start does not have to update their rows. Only if the first step has a delay, which counts
 * from the start, all of them are updated, in chunks. Each chunk is a separate transaction unless one is open.
 * @returns the last enrollment that was updated. A second call with it, under the campaign's lock, updates those that
 *   were added since the first call.
 */
export async function prepareForStart(
  scope: WorkspaceScope,
  campaign: Campaign,
  from: CreationCursor = { created_at: campaign.paused_at ?? campaign.completed_at ?? campaign.created_at, id: 0 },
): Promise<CreationCursor> {
  let assigned = CHUNK_SIZE;
  while (assigned === CHUNK_SIZE) {
    assigned = await assignFirstStep(scope, campaign.id, CHUNK_SIZE);
    await scope.commitChunk();
  }
  const [first] = await scope.query<Pick<Step, 'id' | 'delay_minutes'>>(firstStepOf(scope, campaign.id));
  let cursor = from;
  while (first && first.delay_minutes > 0) {
    const next = await delayNextChunk(scope, first, cursor);
    await scope.commitChunk();
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
  const due = sql`${scope.now} + ${minutes(first.delay_minutes)}`;
  return scope.queryOne<CreationCursor>(
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
          UPDATE due_steps due SET due_at = ${due} FROM chunk
          JOIN enrollments enrollment ON enrollment.workspace_id = ${scope} AND enrollment.id = chunk.id
            AND enrollment.status = 'pending' AND enrollment.current_step_id = ${first.id}
          WHERE due.workspace_id = ${scope} AND due.enrollment_id = chunk.id AND due.due_at < ${due}
        )
        SELECT created_at, id FROM chunk ORDER BY created_at DESC, id DESC LIMIT 1`,
  );
}
