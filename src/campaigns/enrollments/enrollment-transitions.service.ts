import { Injectable } from '@nestjs/common';
import { type Sql, sql } from '../../platform/database/index.js';
import { DomainEvents } from '../../platform/events/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { isRunning, minutes } from '../steps/waiting-enrollments.queries.js';

/** A step that was sent to a contact; its ID is null when it was deleted meanwhile. */
export interface SentStep {
  readonly enrollment_id: number;
  readonly step_id: number | null;
}

/**
 * The moves that sending causes (API v1, "Enrollment status"). Each takes many enrollments at once, leaves alone those
 * that have ended, and gives the IDs of the campaigns in which some have ended now: after the commit these are to be
 * looked at by {@link CampaignCompletion}.
 */
@Injectable()
export class EnrollmentTransitions {
  constructor(private readonly events: DomainEvents) {}

  /**
   * A step was sent: the next one is due after its delay, after the last the enrollment is completed. Who has left the
   * step meanwhile, because it was skipped or deleted, stays where it is. A replay changes nothing.
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

  /** Their message failed for good, or the address must not be written to. */
  fail(scope: WorkspaceScope, enrollmentIds: readonly number[]): Promise<number[]> {
    return campaignsWithEndedEnrollments(
      scope,
      sql`UPDATE enrollments enrollment SET status = 'failed', next_due_at = NULL, updated_at = now()
          WHERE workspace_id = ${scope} AND id = ANY(${[...enrollmentIds]}::bigint[]) AND ${isRunning}
          RETURNING campaign_id, status`,
    );
  }

  /** A message that had been sent has come back: also who had completed by it has failed. */
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

  /** Their contacts have replied: where the campaign stops at that, nothing more is sent to them. */
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
   * The contacts want no more mail: all their running enrollments end, in every campaign.
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

/** Keeps the steps of the campaigns of these steps from being deleted until the transaction ends. */
async function lockStepsForShare(scope: WorkspaceScope, stepIds: readonly (number | null)[]): Promise<void> {
  await scope.query(
    sql`SELECT 1 FROM campaign_steps WHERE workspace_id = ${scope} AND campaign_id IN (
          SELECT campaign_id FROM campaign_steps WHERE workspace_id = ${scope} AND id = ANY(${[...stepIds]}::bigint[]))
        ORDER BY id FOR KEY SHARE`,
  );
}

/** For every step of the campaigns of these steps: the one after it and how long that waits. */
const followingSteps = (scope: WorkspaceScope, stepIds: readonly (number | null)[]): Sql => sql`
  SELECT id, lead(id) OVER steps_in_order AS next_id, lead(delay_minutes) OVER steps_in_order AS delay_minutes
  FROM campaign_steps WHERE workspace_id = ${scope} AND campaign_id IN (
    SELECT campaign_id FROM campaign_steps WHERE workspace_id = ${scope} AND id = ANY(${[...stepIds]}::bigint[]))
  WINDOW steps_in_order AS (PARTITION BY campaign_id ORDER BY position)`;

/** Runs an UPDATE that returns `campaign_id` and `status`. @returns the campaigns in which an enrollment has ended */
async function campaignsWithEndedEnrollments(scope: WorkspaceScope, update: Sql): Promise<number[]> {
  const campaigns = await scope.query<{ campaign_id: number }>(
    sql`WITH updated AS (${update}) SELECT DISTINCT campaign_id FROM updated WHERE status <> 'in_progress'`,
  );
  return campaigns.map((campaign) => campaign.campaign_id);
}
