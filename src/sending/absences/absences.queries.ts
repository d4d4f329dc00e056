import type { Schedule } from '../../campaigns/index.js';
import { sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { type AbsencePeriod, MAX_ABSENCE_DAYS, OUT_OF_OFFICE } from './absence.js';

/** A queued message of a contact who is away, or was. */
export interface PostponableMessage {
  readonly id: number;
  readonly schedule: Schedule | null;
}

/**
 * Returns the absences of contacts that have not ended, by contact. They are locked until the transaction ends: who ends
 * one meanwhile waits, and then sees what was postponed because of it.
 */
export async function lockAbsences(
  tx: WorkspaceScope,
  contactIds: readonly number[],
): Promise<ReadonlyMap<number, AbsencePeriod>> {
  const rows = await tx.query<AbsencePeriod & { contact_id: number }>(
    sql`SELECT contact_id, returns_on::text AS returns_on, ends_at FROM absences
        WHERE workspace_id = ${tx} AND contact_id = ANY(${[...contactIds]}::bigint[]) AND ends_at > ${tx.now}
        FOR SHARE`,
  );
  return new Map(rows.map(({ contact_id: id, ...period }) => [id, period]));
}

/** Stores an absence, unless a later reply has reported another one. @returns it; undefined if it was not stored */
export async function saveAbsence(
  tx: WorkspaceScope,
  contactId: number,
  { returns_on: day, reported_at: at }: { readonly returns_on: string; readonly reported_at: Date },
): Promise<AbsencePeriod | undefined> {
  const [saved] = await tx.query<AbsencePeriod & Record<string, unknown>>(
    sql`INSERT INTO absences AS absence (workspace_id, contact_id, returns_on, ends_at, reported_at)
        VALUES (${tx}, ${contactId}, ${day}::date, ${tx.now} + make_interval(days => ${MAX_ABSENCE_DAYS}), ${at})
        ON CONFLICT (workspace_id, contact_id) DO UPDATE
          SET returns_on = excluded.returns_on, ends_at = excluded.ends_at, reported_at = excluded.reported_at
          WHERE absence.reported_at <= excluded.reported_at
        RETURNING absence.returns_on::text AS returns_on, absence.ends_at`,
  );
  return saved;
}

/** Deletes an absence, unless it was reported after `at`. @returns whether there was one */
export async function deleteAbsence(tx: WorkspaceScope, contactId: number, at: Date): Promise<boolean> {
  const deleted = await tx.execute(
    sql`DELETE FROM absences WHERE workspace_id = ${tx} AND contact_id = ${contactId} AND reported_at <= ${at}`,
  );
  return deleted > 0;
}

/** Locks and returns the messages of campaigns that wait for a contact. The preflight check stops those that are claimed. */
export function lockPostponable(tx: WorkspaceScope, contactId: number): Promise<PostponableMessage[]> {
  return tx.query<PostponableMessage & Record<string, unknown>>(
    sql`SELECT message.id, campaign.schedule FROM enrollments enrollment
        JOIN queued_messages message ON message.workspace_id = ${tx} AND message.enrollment_id = enrollment.id
        JOIN campaigns campaign ON campaign.workspace_id = ${tx} AND campaign.id = message.campaign_id
        WHERE enrollment.workspace_id = ${tx} AND enrollment.contact_id = ${contactId} AND message.reply_id IS NULL
          AND message.status = 'queued' AND message.lease_until IS NULL
        ORDER BY message.id FOR UPDATE OF message`,
  );
}

/**
 * Postpones queued messages until given times, unless they wait longer for another reason. Those that waited for an
 * absence are due when the time is over.
 * @returns the accounts that have due messages now
 */
export async function postponeUntil(
  tx: WorkspaceScope,
  messages: readonly { readonly id: number; readonly until: Date }[],
): Promise<number[]> {
  const rows = await tx.query<{ email_account_id: number | null }>(
    sql`UPDATE queued_messages message SET updated_at = ${tx.now}, next_attempt_at = greatest(wait.until, ${tx.now}),
          reason = CASE WHEN wait.until > ${tx.now} THEN ${OUT_OF_OFFICE} END
        FROM unnest(${messages.map(({ id }) => id)}::bigint[], ${messages.map(({ until }) => until)}::timestamptz[])
          AS wait (id, until)
        WHERE message.workspace_id = ${tx} AND message.id = wait.id
          AND (message.reason = ${OUT_OF_OFFICE} OR (wait.until > ${tx.now} AND message.next_attempt_at < wait.until))
        RETURNING CASE WHEN wait.until <= ${tx.now} THEN message.email_account_id END AS email_account_id`,
  );
  return [...new Set(rows.flatMap(({ email_account_id: id }) => id ?? []))];
}
