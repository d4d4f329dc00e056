import { NotFound } from '@outreach/http-errors';
import { sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { Step } from '../steps/step.entity.js';
import { dueAccount, isRunning, minutes } from '../steps/waiting-enrollments.queries.js';
import { ANY_ACCOUNT } from '../steps/any-account.js';
import type { EnrollmentChange } from './enrollment-change.entity.js';
import type { Enrollment } from './enrollment.entity.js';

export type LockedEnrollment = Pick<Enrollment, 'id' | 'current_step_id' | 'status'>;

/** A contact's enrollment, locked until the transaction ends. @throws NotFound */
export async function lockEnrollment(
  scope: WorkspaceScope,
  campaignId: number,
  contactId: number,
): Promise<LockedEnrollment> {
  const [enrollment] = await scope.query<LockedEnrollment>(
    sql`SELECT id, current_step_id, status FROM enrollments
        WHERE workspace_id = ${scope} AND campaign_id = ${campaignId} AND contact_id = ${contactId} FOR UPDATE`,
  );
  if (!enrollment) throw new NotFound('Enrollment');
  return enrollment;
}

/** Sets the current step. If the enrollment is running, the step is due after its delay, counted from now. */
export async function skipToStep(
  scope: WorkspaceScope,
  id: number,
  next: Pick<Step, 'id' | 'delay_minutes'>,
): Promise<void> {
  await scope.execute(
    sql`WITH moved AS (
          UPDATE enrollments enrollment SET current_step_id = ${next.id}, updated_at = ${scope.now}
          WHERE workspace_id = ${scope} AND id = ${id}
          RETURNING id, campaign_id, ${dueAccount(sql`enrollment`)} AS email_account_id, ${isRunning} AS is_running
        )
        INSERT INTO due_steps (workspace_id, enrollment_id, campaign_id, email_account_id, due_at)
        SELECT ${scope}, moved.id, moved.campaign_id, moved.email_account_id, ${scope.now} + ${minutes(next.delay_minutes)}
        FROM moved WHERE moved.is_running
        ON CONFLICT (workspace_id, enrollment_id) DO UPDATE SET due_at = excluded.due_at`,
  );
}

/**
 * Sets the current step of a running enrollment, which is due now. If it is at that step already, its message may be queued:
 * then nothing is due.
 */
export async function moveToStep(
  scope: WorkspaceScope,
  { id, current_step_id: current }: LockedEnrollment,
  stepId: number,
): Promise<void> {
  if (current === stepId) {
    const due = sql`workspace_id = ${scope} AND enrollment_id = ${id} AND due_at > ${scope.now}`;
    await scope.execute(sql`UPDATE due_steps SET due_at = ${scope.now} WHERE ${due}`);
    return;
  }
  await scope.execute(
    sql`WITH moved AS (
          UPDATE enrollments enrollment SET current_step_id = ${stepId}, updated_at = ${scope.now}
          WHERE workspace_id = ${scope} AND id = ${id} RETURNING id, campaign_id,
            ${dueAccount(sql`enrollment`)} AS email_account_id
        )
        INSERT INTO due_steps (workspace_id, enrollment_id, campaign_id, email_account_id, due_at)
        SELECT ${scope}, moved.id, moved.campaign_id, moved.email_account_id, ${scope.now} FROM moved
        ON CONFLICT (workspace_id, enrollment_id) DO UPDATE SET due_at = excluded.due_at`,
  );
}

/** Completes an enrollment in any state. `completed_at` does not change if it is already completed. */
export async function completeBySkip(scope: WorkspaceScope, id: number): Promise<void> {
  await scope.execute(
    sql`UPDATE enrollments SET status = 'completed', updated_at = ${scope.now},
          completed_at = coalesce(completed_at, ${scope.now}), stopped_at = NULL
        WHERE workspace_id = ${scope} AND id = ${id}`,
  );
  await scope.execute(sql`DELETE FROM due_steps WHERE workspace_id = ${scope} AND enrollment_id = ${id}`);
}

/** Adds a request that moved an enrollment to its history. @param stepId the step that was skipped, or moved to */
export async function recordEnrollmentChange(
  scope: WorkspaceScope,
  id: number,
  { kind, stepId }: { readonly kind: EnrollmentChange['kind']; readonly stepId: number | null },
): Promise<void> {
  await scope.execute(
    sql`INSERT INTO enrollment_changes (workspace_id, enrollment_id, kind, step_id, created_at)
        VALUES (${scope}, ${id}, ${kind}, ${stepId}, ${scope.now})`,
  );
}

/**
 * Deletes a contact's enrollment and its messages, and records that the campaign does not enroll it by itself again.
 * @throws NotFound
 */
export async function removeEnrollment(scope: WorkspaceScope, campaignId: number, contactId: number): Promise<void> {
  const removed = await scope.execute(
    sql`WITH removed AS (
          DELETE FROM enrollments
          WHERE workspace_id = ${scope} AND campaign_id = ${campaignId} AND contact_id = ${contactId}
          RETURNING campaign_id, contact_id
        )
        INSERT INTO removed_enrollments (workspace_id, campaign_id, contact_id, created_at)
        SELECT ${scope}, removed.campaign_id, removed.contact_id, ${scope.now} FROM removed
        ON CONFLICT (workspace_id, contact_id, campaign_id) DO UPDATE SET created_at = excluded.created_at`,
  );
  if (removed === 0) throw new NotFound('Enrollment');
}

/**
 * Deletes those of the enrollments of this transaction whose contacts were removed from the campaign by a request that the
 * statement which inserted them did not see yet.
 */
export async function deleteRemoved(
  scope: WorkspaceScope,
  campaignId: number,
  contactIds: readonly number[],
): Promise<void> {
  await scope.execute(
    sql`DELETE FROM enrollments enrollment USING removed_enrollments removed
        WHERE enrollment.workspace_id = ${scope} AND enrollment.campaign_id = ${campaignId}
          AND enrollment.contact_id = ANY(${[...contactIds]}::bigint[])
          AND enrollment.created_at = ${scope.now}::timestamptz(3)
          AND removed.workspace_id = ${scope} AND removed.campaign_id = ${campaignId}
          AND removed.contact_id = enrollment.contact_id`,
  );
}

/** Removes an account that is about to be deleted from all enrollments. The next message chooses another account. */
export async function detachAccountFromEnrollments(scope: WorkspaceScope, accountId: number): Promise<void> {
  await scope.execute(
    sql`UPDATE enrollments SET email_account_id = NULL WHERE workspace_id = ${scope} AND email_account_id = ${accountId}`,
  );
  await scope.execute(
    sql`UPDATE due_steps SET email_account_id = ${ANY_ACCOUNT}
        WHERE workspace_id = ${scope} AND email_account_id = ${accountId}`,
  );
}
