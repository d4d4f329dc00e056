import { Injectable } from '@nestjs/common';
import { type Sql, sql } from '../../platform/database/index.js';
import { DomainEvents } from '../../platform/events/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { isRunning, minutes } from '../steps/waiting-enrollments.queries.js';

/** A step that was sent to a contact. Its ID is null if the step has been deleted since. */
export interface SentStep {
  readonly enrollment_id: number;
  readonly step_id: number | null;
}

/**
 * The status transitions that sending causes (API v1, "Enrollment status"). Each method takes many enrollments, ignores
 * those that have ended, and returns the IDs of the campaigns in which it has ended some. After the commit, pass these to
 * {@link CampaignCompletion}.
 */
@Injectable()
export class EnrollmentTransitions {
  constructor(private readonly events: DomainEvents) {}

  /**
   * A step was sent: the next one is due after its delay; after the last one the enrollment is completed. An enrollment
   * that is no longer at this step, because it was skipped or deleted, keeps its step. Repeating a call has no effect.
   */
  async afterSend(scope: WorkspaceScope, sent: readonly SentStep[]): Promise<number[]> {
    const stepIds = sent.map((step) => step.step_id);
    await lockStepsForShare(scope, stepIds);
    const isAtSentStep = sql`enrollment.current_step_id IS NOT DISTINCT FROM sent.step_id`;
    const ends = sql`${isAtSentStep} AND following.next_id IS NULL`;
    return campaignsWithEndedEnrollments(
      scope,
      sql`UPDATE enrollments enrollment SET updated_at = now(),
            status = CASE WHEN ${ends} THEN 'completed' ELSE 'in_progress' END,
            completed_at = CASE WHEN ${ends} THEN now() END,
            current_step_id = CASE WHEN ${isAtSentStep} THEN coalesce(following.next_id, sent.step_id)
                                   ELSE enrollment.current_step_id END,
            next_due_at = CASE WHEN ${isAtSentStep} THEN now() + ${minutes(sql`following.delay_minutes`)}
                               ELSE enrollment.next_due_at END
          FROM unnest(${sent.map((step) => step.enrollment_id)}::bigint[], ${stepIds}::bigint[])
            AS sent (enrollment_id, step_id)
          LEFT JOIN (${followingSteps(scope, stepIds)}) following ON following.id = sent.step_id
          WHERE enrollment.workspace_id = ${scope} AND enrollment.id = sent.enrollment_id
            AND enrollment.id = ANY(${sent.map((step) => step.enrollment_id)}::bigint[]) AND ${isRunning}
          RETURNING enrollment.campaign_id, enrollment.status`,
    );
  }

  /** The message failed permanently, or must not be sent to this address. */
  fail(scope: WorkspaceScope, enrollmentIds: readonly number[]): Promise<number[]> {
    return campaignsWithEndedEnrollments(
      scope,
      sql`UPDATE enrollments enrollment SET status = 'failed', next_due_at = NULL, updated_at = now()
          WHERE workspace_id = ${scope} AND id = ANY(${[...enrollmentIds]}::bigint[]) AND ${isRunning}
          RETURNING campaign_id, status`,
    );
  }

  /** A message bounced after it was sent. Enrollments that it completed have failed, too. */
  failAfterSend(scope: WorkspaceScope, enrollmentIds: readonly number[]): Promise<number[]> {
    return campaignsWithEndedEnrollments(
      scope,
      sql`UPDATE enrollments enrollment
          SET status = 'failed', next_due_at = NULL, completed_at = NULL, updated_at = now()
          WHERE workspace_id = ${scope} AND id = ANY(${[...enrollmentIds]}::bigint[])
            AND (${isRunning} OR enrollment.status = 'completed')
          RETURNING campaign_id, status`,
    );
  }

  /** The contacts have replied: completes their enrollments if the campaign has `stop_on_reply`. */
  async reply(scope: WorkspaceScope, enrollmentIds: readonly number[]): Promise<number[]> {
    const ids = sql`${[...enrollmentIds]}::bigint[]`;
    const ended = await campaignsWithEndedEnrollments(
      scope,
      sql`UPDATE enrollments enrollment
          SET status = 'completed', completed_at = now(), next_due_at = NULL, updated_at = now()
          FROM campaigns campaign
          WHERE enrollment.workspace_id = ${scope} AND enrollment.id = ANY(${ids}) AND ${isRunning}
            AND campaign.workspace_id = ${scope} AND campaign.id = enrollment.campaign_id AND campaign.stop_on_reply
          RETURNING enrollment.campaign_id, enrollment.status`,
    );
    if (ended.length === 0) return ended;
    const enrollments = sql`SELECT id FROM enrollments
      WHERE workspace_id = ${scope} AND id = ANY(${ids}) AND status = 'completed'`;
    await this.events.publish(scope, 'enrollments.ended', { enrollments, reason: 'replied' });
    return ended;
  }

  /**
   * The contacts have unsubscribed: ends all their running enrollments, in every campaign.
   * @param contacts a sub-select of contact IDs
   */
  async unsubscribe(scope: WorkspaceScope, contacts: Sql): Promise<number[]> {
    const ended = await campaignsWithEndedEnrollments(
      scope,
      sql`UPDATE enrollments enrollment SET status = 'unsubscribed', next_due_at = NULL, updated_at = now()
          WHERE workspace_id = ${scope} AND contact_id IN (${contacts}) AND ${isRunning}
          RETURNING campaign_id, status`,
    );
    if (ended.length === 0) return ended;
    const enrollments = sql`SELECT id FROM enrollments
      WHERE workspace_id = ${scope} AND contact_id IN (${contacts}) AND status = 'unsubscribed'`;
    await this.events.publish(scope, 'enrollments.ended', { enrollments, reason: 'unsubscribed' });
    return ended;
  }
}

/** Locks all steps of the campaigns of these steps, so that none is deleted until the transaction ends. */
async function lockStepsForShare(scope: WorkspaceScope, stepIds: readonly (number | null)[]): Promise<void> {
  await scope.query(
    sql`SELECT 1 FROM campaign_steps WHERE workspace_id = ${scope} AND campaign_id IN (
          SELECT campaign_id FROM campaign_steps WHERE workspace_id = ${scope} AND id = ANY(${[...stepIds]}::bigint[]))
        ORDER BY id FOR KEY SHARE`,
  );
}

/** SELECT of all steps of the campaigns of these steps, with the ID and the delay of the step that follows. */
const followingSteps = (scope: WorkspaceScope, stepIds: readonly (number | null)[]): Sql => sql`
  SELECT id, lead(id) OVER steps_in_order AS next_id, lead(delay_minutes) OVER steps_in_order AS delay_minutes
  FROM campaign_steps WHERE workspace_id = ${scope} AND campaign_id IN (
    SELECT campaign_id FROM campaign_steps WHERE workspace_id = ${scope} AND id = ANY(${[...stepIds]}::bigint[]))
  WINDOW steps_in_order AS (PARTITION BY campaign_id ORDER BY position)`;

/** Runs an UPDATE that returns `campaign_id` and `status`. Returns the campaigns in which it has ended an enrollment. */
async function campaignsWithEndedEnrollments(scope: WorkspaceScope, update: Sql): Promise<number[]> {
  const campaigns = await scope.query<{ campaign_id: number }>(
    sql`WITH updated AS (${update}) SELECT DISTINCT campaign_id FROM updated WHERE status <> 'in_progress'`,
  );
  return campaigns.map((campaign) => campaign.campaign_id);
}
