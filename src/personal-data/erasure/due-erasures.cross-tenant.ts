import { Injectable } from '@nestjs/common';
import { isHorizonReached, oldestVisibleTransactionStart } from '@outreach/database';
import { Database, type Sql, sql } from '../../platform/database/index.js';
import { WorkspaceScope } from '../../platform/tenancy/index.js';
import type { SearchCursor } from './search-cursor.js';

/** For so long no other worker takes an erasure that one is working on. */
const LEASE_SECONDS = 120;
const MAX_TAKEN = 20;

export interface DueErasure {
  readonly scope: WorkspaceScope;
  readonly id: number;
  readonly contact_id: number;
  /** Encrypted. */
  readonly subject: string;
  readonly search_cursor: SearchCursor | null;
  readonly is_last_search: boolean;
}

/** SQL condition: the next search of an erasure is due, whether it has to wait for transactions or not. It reads one index. */
export const hasOpenErasures = sql`EXISTS (
  SELECT 1 FROM erasures WHERE completed_at IS NULL AND next_run_at <= ${sql.realNow})`;

/** The erasures of all workspaces that wait for a search. */
@Injectable()
export class DueErasures {
  private readonly database: Database;

  constructor(database: Database) {
    this.database = database.withoutTimeLimits();
  }

  /** Takes the erasures that have waited longest, at most one of each workspace. Those of a dead worker are due again. */
  async take(): Promise<DueErasure[]> {
    const due = await this.database.query<{ workspace_id: number; id: number }>(
      sql`SELECT first.workspace_id, first.id FROM (
            SELECT DISTINCT ON (open.workspace_id) open.workspace_id, open.id, open.next_run_at FROM erasures open
            WHERE ${isDue(sql`open`)} ORDER BY open.workspace_id, open.next_run_at, open.id) first
          ORDER BY first.next_run_at LIMIT ${MAX_TAKEN}`,
    );
    const taken: DueErasure[] = [];
    for (const { workspace_id: workspaceId, id } of due) {
      const scope = await WorkspaceScope.open(workspaceId, this.database);
      const erasure = await lease(scope, id);
      if (erasure) taken.push({ ...erasure, scope });
    }
    return taken;
  }
}

/** @returns undefined if another worker has taken it, or a request is changing it */
function lease(scope: WorkspaceScope, id: number): Promise<Omit<DueErasure, 'scope'> | undefined> {
  return scope.queryOne(
    sql`UPDATE erasures SET next_run_at = ${sql.realNow} + make_interval(secs => ${LEASE_SECONDS})
        WHERE workspace_id = ${scope} AND id = (
          SELECT due.id FROM erasures due
          WHERE due.workspace_id = ${scope} AND due.id = ${id} AND ${isOpen(sql`due`)} FOR UPDATE SKIP LOCKED)
        RETURNING id, contact_id, subject_encrypted AS subject, search_cursor, is_last_search`,
  );
}

/** SQL condition: an import that was to be imported when the person was erased has not ended. */
export const waitsForImport = (erasure: Sql): Sql => sql`EXISTS (
  SELECT 1 FROM imports import WHERE import.workspace_id = ${erasure}.workspace_id
    AND import.status IN ('pending', 'running') AND import.created_at <= ${erasure}.created_at)`;

/** SQL condition: a transaction that may have written about the person before the erasure is still open. */
export const waitsForTransaction = (erasure: Sql): Sql => sql`NOT (
  (${erasure}.horizon IS NULL OR ${isHorizonReached(sql`${erasure}.horizon`)})
  AND coalesce(${erasure}.requested_at, ${erasure}.created_at) <= ${oldestVisibleTransactionStart})`;

const isOpen = (erasure: Sql): Sql => sql`${erasure}.completed_at IS NULL AND ${erasure}.next_run_at <= ${sql.realNow}`;

/** The last search comes after whatever began before the erasure and may write about the person: imports, transactions. */
const isDue = (erasure: Sql): Sql => sql`(
  ${isOpen(erasure)} AND (NOT ${erasure}.is_last_search OR (
    NOT ${waitsForImport(erasure)} AND NOT ${waitsForTransaction(erasure)})))`;
