import { Injectable } from '@nestjs/common';
import type { StatementPart } from '@outreach/database';
import { type Sql, sql } from '../../platform/database/index.js';
import { DomainEvents } from '../../platform/events/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { ENROLLMENT_STATUSES, ENROLLMENT_TRANSITIONS } from './enrollment.entity.js';
import { dueAccount, isRunning, minutes } from '../steps/waiting-enrollments.queries.js';

/** A step that was sent to a contact. Its ID is null if the step has been deleted since. */
export interface SentStep {
  readonly enrollment_id: number;
  readonly step_id: number | null;
  /** The account that has sent it, which sends the later steps, too. */
  readonly email_account_id?: number | null;
}

const mayFail = ENROLLMENT_STATUSES.filter((status) => ENROLLMENT_TRANSITIONS[status].includes('failed'));

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
    await lockStepsForShare(
      scope,
      sent.map((step) => step.step_id),
    );
    const advanced = await advance(scope, sent, sql`'in_progress'`);
    const others = sent.filter(({ enrollment_id: id }) => !advanced.enrollments.has(id));
    if (others.length > 0) await markInProgress(scope, others);
    return advanced.campaigns;
  }

  /**
   * The condition of a step does not hold: the next one is due after its delay; after the last one the enrollment is completed.
   */
  async passOver(scope: WorkspaceScope, steps: readonly SentStep[]): Promise<number[]> {
    await lockStepsForShare(
      scope,
      steps.map((step) => step.step_id),
    );
    return (await advance(scope, steps, sql`enrollment.status`)).campaigns;
  }

  /** The message failed permanently, or must not be sent to this address. */
  fail(scope: WorkspaceScope, enrollmentIds: readonly number[]): Promise<number[]> {
    return campaignsWithEndedEnrollments(
      scope,
      sql`UPDATE enrollments enrollment SET status = 'failed', stopped_at = ${scope.now}, updated_at = ${scope.now}
          WHERE workspace_id = ${scope} AND id = ANY(${[...enrollmentIds]}::bigint[]) AND ${isRunning}
          RETURNING id, campaign_id`,
    );
  }

  /** A message bounced after it was sent. Enrollments that it completed have failed, too. */
  failAfterSend(scope: WorkspaceScope, enrollmentIds: readonly number[]): Promise<number[]> {
    return campaignsWithEndedEnrollments(
      scope,
      sql`UPDATE enrollments enrollment
          SET status = 'failed', completed_at = NULL, stopped_at = ${scope.now}, updated_at = ${scope.now}
          WHERE workspace_id = ${scope} AND id = ANY(${[...enrollmentIds]}::bigint[])
            AND enrollment.status = ANY(${mayFail}::text[])
          RETURNING id, campaign_id`,
    );
  }

  /**
   * The contacts have replied: completes their enrollments if the campaign has `stop_on_reply`, and those of all contacts
   * of their companies if it has `stop_company_on_reply`.
   */
  async reply(scope: WorkspaceScope, enrollmentIds: readonly number[]): Promise<number[]> {
    const stopped = sql`${await this.stopByReply(scope, enrollmentIds)}::bigint[]`;
    const ended = await campaignsWithEndedEnrollments(
      scope,
      sql`UPDATE enrollments enrollment
          SET status = 'completed', completed_at = ${scope.now}, updated_at = ${scope.now}
          WHERE enrollment.workspace_id = ${scope} AND enrollment.id = ANY(${stopped}) AND ${isRunning}
          RETURNING enrollment.id, enrollment.campaign_id`,
    );
    if (ended.length === 0) return ended;
    const enrollments = sql`SELECT id FROM enrollments
      WHERE workspace_id = ${scope} AND id = ANY(${stopped}) AND status = 'completed'`;
    await this.events.publish(scope, 'enrollments.ended', { enrollments, reason: 'replied' });
    return ended;
  }

  /**
   * Returns the enrollments that replies end. The queued messages of colleagues are cancelled first: who records the result
   * of a message locks it before its enrollment.
   */
  private async stopByReply(scope: WorkspaceScope, enrollmentIds: readonly number[]): Promise<number[]> {
    const replied = await stoppedByReply(scope, enrollmentIds);
    const colleagues = replied.some((each) => each.stop_company_on_reply)
      ? await colleaguesOf(
          scope,
          replied.filter((each) => each.stop_company_on_reply).map(({ id }) => id),
        )
      : [];
    if (colleagues.length > 0) {
      const enrollments = sql`SELECT unnest(${colleagues}::bigint[])`;
      await this.events.publish(scope, 'enrollments.ending', { enrollments, reason: 'replied' });
    }
    return [...replied.map(({ id }) => id), ...colleagues];
  }

  /**
   * The contacts have unsubscribed: ends all their running enrollments, in every campaign.
   * @param contacts a sub-select of contact IDs
   */
  async unsubscribe(scope: WorkspaceScope, contacts: Sql): Promise<number[]> {
    const ended = await campaignsWithEndedEnrollments(
      scope,
      sql`UPDATE enrollments enrollment SET status = 'unsubscribed', stopped_at = ${scope.now}, updated_at = ${scope.now}
          WHERE workspace_id = ${scope} AND ${sql.among(sql`contact_id`, contacts)} AND ${isRunning}
          RETURNING id, campaign_id`,
    );
    if (ended.length === 0) return ended;
    const enrollments = sql`SELECT id FROM enrollments
      WHERE workspace_id = ${scope} AND ${sql.among(sql`contact_id`, contacts)} AND status = 'unsubscribed'`;
    await this.events.publish(scope, 'enrollments.ended', { enrollments, reason: 'unsubscribed' });
    return ended;
  }
}

/** Returns the enrollments of contacts who have replied, in campaigns that stop then. */
function stoppedByReply(
  scope: WorkspaceScope,
  enrollmentIds: readonly number[],
): Promise<{ id: number; stop_company_on_reply: boolean }[]> {
  return scope.query(
    sql`SELECT enrollment.id, campaign.stop_company_on_reply FROM enrollments enrollment
        JOIN campaigns campaign ON campaign.workspace_id = ${scope} AND campaign.id = enrollment.campaign_id
        WHERE enrollment.workspace_id = ${scope} AND enrollment.id = ANY(${[...enrollmentIds]}::bigint[])
          AND (campaign.stop_on_reply OR campaign.stop_company_on_reply)`,
  );
}

/**
 * Returns the enrollments of the other contacts of their companies, each in the same campaign. No statement joins the contacts
 * of a company: a planner that does not know yet how many were imported would compare each of them with all others.
 */
async function colleaguesOf(scope: WorkspaceScope, enrollmentIds: readonly number[]): Promise<number[]> {
  const replied = await scope.query<{ campaign_id: number; contact_id: number; company_id: number }>(
    sql`SELECT enrollment.campaign_id, contact.id AS contact_id, contact.company_id FROM enrollments enrollment
        JOIN contacts contact ON contact.workspace_id = ${scope} AND contact.id = enrollment.contact_id
        WHERE enrollment.workspace_id = ${scope} AND enrollment.id = ANY(${[...enrollmentIds]}::bigint[])
          AND contact.company_id IS NOT NULL`,
  );
  const enrollments: number[] = [];
  for (const { campaign_id: campaignId, contact_id: contactId, company_id: companyId } of replied) {
    const colleagues = await scope.query<{ id: number }>(
      sql`SELECT id FROM contacts WHERE workspace_id = ${scope} AND company_id = ${companyId} AND id <> ${contactId}`,
    );
    const rows = await scope.query<{ id: number }>(
      sql`SELECT id FROM enrollments
          WHERE workspace_id = ${scope} AND campaign_id = ${campaignId}
            AND contact_id = ANY(${colleagues.map(({ id }) => id)}::bigint[])`,
    );
    enrollments.push(...rows.map(({ id }) => id));
  }
  return enrollments;
}

/** Locks all steps of the campaigns of these steps, so that none is deleted until the transaction ends. */
async function lockStepsForShare(scope: WorkspaceScope, stepIds: readonly (number | null)[]): Promise<void> {
  await scope.query(
    sql`SELECT 1 FROM campaign_steps WHERE workspace_id = ${scope} AND campaign_id IN (
          SELECT campaign_id FROM campaign_steps WHERE workspace_id = ${scope} AND id = ANY(${[...stepIds]}::bigint[]))
        ORDER BY id FOR KEY SHARE`.prepared(),
  );
}

/** SELECT of all steps of the campaigns of these steps, with the ID and the delay of the step that follows. */
const followingSteps = (scope: WorkspaceScope, stepIds: readonly (number | null)[]): Sql => sql`
  SELECT id, lead(id) OVER steps_in_order AS next_id, lead(delay_minutes) OVER steps_in_order AS delay_minutes
  FROM campaign_steps WHERE workspace_id = ${scope} AND campaign_id IN (
    SELECT campaign_id FROM campaign_steps WHERE workspace_id = ${scope} AND id = ANY(${[...stepIds]}::bigint[]))
  WINDOW steps_in_order AS (PARTITION BY campaign_id ORDER BY position)`;

/**
 * Advances the enrollments that are still at the step that was sent.
 * @param running SQL of the status of those that have a next step
 * @returns their IDs, and the campaigns in which some have ended
 */
async function advance(
  scope: WorkspaceScope,
  sent: readonly SentStep[],
  running: Sql,
): Promise<{ enrollments: ReadonlySet<number>; campaigns: number[] }> {
  const rows = await scope.inParts<{ id: number; ended_in: number | null }>(
    [advanced(scope, sent, running), ...rescheduled(scope)],
    sql`SELECT id, CASE WHEN next_id IS NULL THEN campaign_id END AS ended_in FROM advanced`.prepared(),
  );
  return {
    enrollments: new Set(rows.map(({ id }) => id)),
    campaigns: [...new Set(rows.flatMap((row) => row.ended_in ?? []))],
  };
}

/** The part of a statement that moves enrollments to the step after the one that was sent. */
function advanced(scope: WorkspaceScope, sent: readonly SentStep[], running: Sql): StatementPart {
  const stepIds = sent.map((step) => step.step_id);
  const enrollmentIds = sent.map((step) => step.enrollment_id);
  return {
    name: 'advanced',
    statement: sql`UPDATE enrollments enrollment SET updated_at = ${scope.now},
        status = CASE WHEN following.next_id IS NULL THEN 'completed' ELSE ${running} END,
        completed_at = CASE WHEN following.next_id IS NULL THEN ${scope.now} END,
        current_step_id = coalesce(following.next_id, sent.step_id),
        email_account_id = coalesce(enrollment.email_account_id, sent.account_id)
      FROM unnest(${enrollmentIds}::bigint[], ${stepIds}::bigint[],
          ${sent.map((step) => step.email_account_id ?? null)}::bigint[]) AS sent (enrollment_id, step_id, account_id)
      LEFT JOIN (${followingSteps(scope, stepIds)}) following ON following.id = sent.step_id
      WHERE enrollment.workspace_id = ${scope} AND enrollment.id = sent.enrollment_id
        AND enrollment.id = ANY(${enrollmentIds}::bigint[]) AND ${isRunning}
        AND enrollment.current_step_id IS NOT DISTINCT FROM sent.step_id
      RETURNING enrollment.id, enrollment.campaign_id, ${dueAccount(sql`enrollment`)} AS email_account_id,
        following.next_id, following.delay_minutes`,
    columns: sql`id bigint, campaign_id bigint, email_account_id bigint, next_id bigint, delay_minutes int`,
  };
}

/** The parts of a statement that make the next steps due of those that {@link advanced} has moved. */
const rescheduled = (scope: WorkspaceScope): StatementPart[] => [
  {
    name: 'scheduled',
    statement: sql`INSERT INTO due_steps (workspace_id, enrollment_id, campaign_id, email_account_id, due_at)
      SELECT ${scope}, id, campaign_id, email_account_id, ${scope.now} + ${minutes(sql`delay_minutes`)}
      FROM advanced WHERE next_id IS NOT NULL ORDER BY id
      ON CONFLICT (workspace_id, enrollment_id)
        DO UPDATE SET due_at = excluded.due_at, email_account_id = excluded.email_account_id`,
  },
  {
    name: 'unscheduled',
    statement: sql`DELETE FROM due_steps due WHERE due.workspace_id = ${scope}
      AND due.enrollment_id = ANY (ARRAY(SELECT advanced.id FROM advanced WHERE advanced.next_id IS NULL))`,
  },
];

/** Something was sent for enrollments that are no longer at the step that was sent. They keep their steps. */
async function markInProgress(scope: WorkspaceScope, sent: readonly SentStep[]): Promise<void> {
  await scope.execute(
    sql`UPDATE enrollments enrollment SET updated_at = ${scope.now}, status = 'in_progress',
          email_account_id = coalesce(enrollment.email_account_id, sent.account_id)
        FROM unnest(${sent.map((step) => step.enrollment_id)}::bigint[],
          ${sent.map((step) => step.email_account_id ?? null)}::bigint[]) AS sent (enrollment_id, account_id)
        WHERE enrollment.workspace_id = ${scope} AND enrollment.id = sent.enrollment_id AND ${isRunning}`,
  );
}

/**
 * Runs an UPDATE that ends enrollments and returns their `id` and `campaign_id`. Their steps are not due any more.
 * @returns the campaigns
 */
async function campaignsWithEndedEnrollments(scope: WorkspaceScope, update: Sql): Promise<number[]> {
  const campaigns = await scope.query<{ campaign_id: number }>(
    sql`WITH ended AS (${update}), unscheduled AS (
          DELETE FROM due_steps due USING ended WHERE due.workspace_id = ${scope} AND due.enrollment_id = ended.id
        )
        SELECT DISTINCT campaign_id FROM ended`,
  );
  return campaigns.map((campaign) => campaign.campaign_id);
}
