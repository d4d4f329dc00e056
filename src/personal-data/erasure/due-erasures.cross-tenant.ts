import { Injectable } from '@nestjs/common';
import { Database, sql } from '../../platform/database/index.js';
import { WorkspaceScope } from '../../platform/tenancy/index.js';

/** For so long no other worker takes an erasure that one is working on. */
const LEASE_SECONDS = 120;
const MAX_TAKEN = 20;

/** An erasure whose traces are to be searched. */
export interface DueErasure {
  readonly scope: WorkspaceScope;
  readonly id: number;
  readonly contact_id: number;
  /** Encrypted. */
  readonly subject: string;
  readonly is_last_search: boolean;
}

/** The erasures of all workspaces that wait for a search. */
@Injectable()
export class DueErasures {
  private readonly database: Database;

  constructor(database: Database) {
    this.database = database.withoutTimeLimits();
  }

  /** Takes the erasures that have waited longest, at most one of each workspace. Those of a dead worker are due again. */
  async take(): Promise<DueErasure[]> {
    const rows = await this.database.query<{
      workspace_id: number;
      id: number;
      contact_id: number;
      subject_encrypted: string;
      is_last_search: boolean;
    }>(
      sql`WITH taken AS MATERIALIZED (
            SELECT due.workspace_id, due.id FROM erasures due
            WHERE due.completed_at IS NULL AND due.next_run_at <= ${sql.realNow} AND due.id = (
              SELECT first.id FROM erasures first
              WHERE first.workspace_id = due.workspace_id AND first.completed_at IS NULL AND first.next_run_at <= ${sql.realNow}
              ORDER BY first.next_run_at, first.id LIMIT 1)
            ORDER BY due.next_run_at LIMIT ${MAX_TAKEN} FOR UPDATE SKIP LOCKED
          )
          UPDATE erasures erasure SET next_run_at = ${sql.realNow} + make_interval(secs => ${LEASE_SECONDS}) FROM taken
          WHERE erasure.workspace_id = taken.workspace_id AND erasure.id = taken.id
          RETURNING erasure.workspace_id, erasure.id, erasure.contact_id, erasure.subject_encrypted,
            erasure.is_last_search`,
    );
    return rows.map(({ workspace_id: workspaceId, subject_encrypted: subject, ...row }) => ({
      ...row,
      subject,
      scope: WorkspaceScope.open(workspaceId, this.database),
    }));
  }
}
