import { type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { Campaign } from '../campaign/campaign.entity.js';
import type { EnrollmentSource } from './enrollment-source.js';
import { firstStepOf, minutes } from '../steps/waiting-enrollments.queries.js';
import type { CreationCursor } from './creation-cursor.js';

/** The number of contacts that one transaction enrolls, in 0.1 to 0.2 s. */
const CHUNK_SIZE = 5000;

export interface EnrolledChunk {
  /** The cursor of the next chunk; undefined after the last one. */
  readonly next: CreationCursor | undefined;
  readonly enrolled: number;
  /** The contacts of the workspace that are not active, are already enrolled, or are in the sequence of another campaign. */
  readonly skipped: number;
}

export type EnrollingCampaign = Pick<Campaign, 'id' | 'status' | 'skip_running_elsewhere'>;

/**
 * Locks a campaign until the transaction ends, so that its status and its steps do not change. The lock is shared.
 * @returns undefined if the campaign does not exist
 */
export async function lockCampaignForShare(
  scope: WorkspaceScope,
  campaignId: number,
): Promise<EnrollingCampaign | undefined> {
  return scope.queryOne<EnrollingCampaign>(
    sql`SELECT id, status, skip_running_elsewhere FROM campaigns
        WHERE workspace_id = ${scope} AND id = ${campaignId} AND deleted_at IS NULL FOR KEY SHARE`,
  );
}

/**
 * Enrolls the next chunk of contacts at the campaign's first step. In an active campaign, and in a completed one, which they
 * make active, they are due after the delay of that step; otherwise immediately, which takes effect when the campaign
 * starts.
 */
export async function enrollChunk(
  scope: WorkspaceScope,
  campaign: EnrollingCampaign,
  sources: readonly EnrollmentSource[],
  cursor: CreationCursor,
): Promise<EnrolledChunk> {
  const input = inputOf(sources, cursor);
  if (campaign.skip_running_elsewhere) await lockContacts(scope, input);
  const chunk = await lockChunk(scope, campaign, input);
  const enrolled = chunk.chosen.length > 0 ? await insertEnrollments(scope, campaign, chunk) : 0;
  const next = chunk.input < CHUNK_SIZE ? undefined : { created_at: chunk.created_at, id: chunk.id };
  return { enrolled, skipped: chunk.matched - enrolled, next };
}

/** The next contacts of all sources. */
interface LockedChunk extends CreationCursor {
  readonly input: number;
  /** How many of them the workspace has. */
  readonly matched: number;
  /** Those that may be enrolled, in the order of their creation. */
  readonly chosen: readonly number[];
  /** The first step of the campaign; null if it has none. */
  readonly step_id: number | null;
  readonly delay_minutes: number | null;
}

/**
 * Locks the next contacts. The lock serializes this with a concurrent unsubscription: either the contact is not enrolled, or
 * the unsubscription ends the enrollment. The contacts are named in an array, because a planner whose statistics do not know
 * the workspace would compare each of its contacts with each of the chunk.
 */
async function lockChunk(scope: WorkspaceScope, campaign: EnrollingCampaign, input: Sql): Promise<LockedChunk> {
  const [chunk] = await scope.query<LockedChunk>(
    sql`WITH input AS MATERIALIZED (
          ${input}
        ), matched AS MATERIALIZED (
          SELECT contact.id, contact.created_at, contact.status FROM contacts contact
          WHERE contact.workspace_id = ${scope} AND contact.id = ANY (ARRAY(SELECT input.id FROM input))
          ORDER BY contact.created_at, contact.id FOR SHARE
        ), counted AS (
          SELECT (SELECT count(*) FROM input) AS input, (SELECT count(*) FROM matched) AS matched, (
            SELECT coalesce(json_agg(matched.id ORDER BY matched.created_at, matched.id), '[]')
            FROM matched WHERE matched.status = 'active' AND ${mayBeEnrolled(scope, campaign)}) AS chosen
        )
        SELECT counted.*, last.*, first.id AS step_id, first.delay_minutes FROM counted
        LEFT JOIN (SELECT created_at, id FROM input ORDER BY created_at DESC, id DESC LIMIT 1) last ON TRUE
        LEFT JOIN (${firstStepOf(scope, campaign.id)}) first ON TRUE`,
  );
  if (!chunk) throw new Error('The statement returned no row.');
  return chunk;
}

/** @returns how many were not enrolled before */
async function insertEnrollments(
  scope: WorkspaceScope,
  campaign: EnrollingCampaign,
  { chosen, step_id: stepId, delay_minutes: delay }: LockedChunk,
): Promise<number> {
  const enrolled = await scope.queryIds(
    sql`INSERT INTO enrollments (workspace_id, campaign_id, contact_id, current_step_id, created_at, updated_at)
        SELECT ${scope}, ${campaign.id}, chosen.id, ${stepId}, ${scope.now}, ${scope.now}
        FROM unnest(${[...chosen]}::bigint[]) WITH ORDINALITY AS chosen (id, position) ORDER BY chosen.position
        ON CONFLICT (workspace_id, campaign_id, contact_id) DO NOTHING RETURNING id`,
  );
  const isSending = campaign.status === 'active' || campaign.status === 'completed';
  if (stepId !== null && enrolled.length > 0)
    await scope.execute(
      sql`INSERT INTO due_steps (workspace_id, enrollment_id, campaign_id, due_at)
          SELECT ${scope}, enrolled.id, ${campaign.id}, ${scope.now} + ${minutes(isSending ? delay : 0)}
          FROM unnest(${enrolled}::bigint[]) AS enrolled (id)`,
    );
  return enrolled.length;
}

/** SELECT of the next chunk of the contacts of all sources. */
function inputOf(sources: readonly EnrollmentSource[], cursor: CreationCursor): Sql {
  const input = sql.join(
    sources.map((source) => sql`(${source(cursor, CHUNK_SIZE)})`),
    ' UNION ALL ',
  );
  return sql`SELECT DISTINCT created_at, id FROM (${input}) sources ORDER BY created_at, id LIMIT ${CHUNK_SIZE}`;
}

/**
 * Locks contacts in the order in which all enrollments lock them, so that two campaigns do not enroll a contact at the same
 * time. The next statement sees what the lock has waited for.
 */
async function lockContacts(scope: WorkspaceScope, input: Sql): Promise<void> {
  await scope.execute(
    sql`WITH input AS MATERIALIZED (${input})
        SELECT 1 FROM contacts contact
        WHERE contact.workspace_id = ${scope} AND contact.id = ANY (ARRAY(SELECT input.id FROM input))
        ORDER BY contact.created_at, contact.id FOR NO KEY UPDATE`,
  );
}

/** SQL condition on `matched`: the contact has no running enrollment in another active campaign, if that matters. */
const mayBeEnrolled = (scope: WorkspaceScope, { id, skip_running_elsewhere: skips }: EnrollingCampaign): Sql =>
  skips
    ? sql`matched.id NOT IN (
        SELECT other.contact_id FROM enrollments other
        JOIN campaigns running ON running.workspace_id = ${scope} AND running.id = other.campaign_id
        WHERE other.workspace_id = ${scope} AND other.contact_id = ANY (ARRAY(SELECT matched.id FROM matched))
          AND other.campaign_id <> ${id} AND other.status IN ('pending', 'in_progress') AND running.status = 'active')`
    : sql`TRUE`;
