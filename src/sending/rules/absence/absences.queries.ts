import { sql } from '../../../platform/database/index.js';
import type { WorkspaceScope } from '../../../platform/tenancy/index.js';
import { type AbsencePeriod, MAX_ABSENCE_DAYS } from './absence.js';

/** Stores an absence, unless a later reply has reported another one. @returns it; undefined if it was not stored */
export async function saveAbsence(
  tx: WorkspaceScope,
  contactId: number,
  { returns_on: day, reported_at: at }: { readonly returns_on: string; readonly reported_at: Date },
): Promise<AbsencePeriod | undefined> {
  return tx.queryOne<AbsencePeriod>(
    sql`INSERT INTO absences AS absence (workspace_id, contact_id, returns_on, ends_at, reported_at)
        VALUES (${tx}, ${contactId}, ${day}::date, ${tx.now} + make_interval(days => ${MAX_ABSENCE_DAYS}), ${at})
        ON CONFLICT (workspace_id, contact_id) DO UPDATE
          SET returns_on = excluded.returns_on, ends_at = excluded.ends_at, reported_at = excluded.reported_at
          WHERE absence.reported_at <= excluded.reported_at
        RETURNING absence.returns_on, absence.ends_at`,
  );
}

/** Deletes an absence, unless it was reported after `at`. @returns whether there was one */
export async function deleteAbsence(tx: WorkspaceScope, contactId: number, at: Date): Promise<boolean> {
  const deleted = await tx.execute(
    sql`DELETE FROM absences WHERE workspace_id = ${tx} AND contact_id = ${contactId} AND reported_at <= ${at}`,
  );
  return deleted > 0;
}
