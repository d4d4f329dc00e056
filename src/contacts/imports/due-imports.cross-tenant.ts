import { Injectable } from '@nestjs/common';
import { MAX_UNTOUCHED_SECONDS, Scheduled, UntouchedKeys } from '@outreach/job-queue';
import { Database, type Sql, sql, type WorkspacesInTime } from '../../platform/database/index.js';
import { workspaceRotation } from '../../platform/queue/index.js';
import { isImportFree } from './import-leases.queries.js';

export const RETENTION_DAYS = 30;

/** Imports of a workspace that are stored, at most. The oldest ones are deleted first. */
const MAX_IMPORTS = 10_000;

/** Imports that one statement deletes, with their refused rows. */
const BATCH_SIZE = 200;

/** How often expired imports are deleted. */
const HOUR_SECONDS = 3600;

/** A worker that has no place for an import tries it again within this time. */
const MAX_PAUSE_SECONDS = 10;

/** Queries over the imports of all workspaces. */
@Injectable()
export class DueImports {
  private readonly database: Database;
  /** Imports that have waited for a minute, and that no worker has tried since. */
  readonly untouched: UntouchedKeys;

  constructor(database: Database) {
    this.database = database.withoutTimeLimits();
    this.untouched = new UntouchedKeys(database, () => this.untouchedOnes());
  }

  /** Selects the oldest waiting import of each workspace of which none is running; the workspaces take turns. */
  keys({ within }: WorkspacesInTime): Sql {
    return sql`${this.waiting(within(sql`import.workspace_id`))} ${workspaceRotation(sql`waiting.workspace_id`)}`;
  }

  private untouchedOnes(): Sql {
    const now = this.database.nowOf(sql`import.workspace_id`);
    return sql`SELECT import.workspace_id, import.id FROM (${this.waiting(sql.empty)}) waiting
      JOIN imports import ON import.workspace_id = waiting.workspace_id AND import.id = waiting.id
      WHERE import.created_at <= ${now} - make_interval(secs => ${MAX_UNTOUCHED_SECONDS})
        AND import.updated_at <= ${now} - make_interval(secs => ${MAX_PAUSE_SECONDS})`;
  }

  /** @param which a further condition on `import`, which begins with `AND` */
  private waiting(which: Sql): Sql {
    return sql`SELECT waiting.workspace_id, waiting.id FROM (
        SELECT import.workspace_id, min(import.id) AS id FROM imports import
        WHERE import.status IN ('pending', 'running')${which}
        GROUP BY import.workspace_id HAVING bool_and(${isImportFree})) waiting`;
  }

  /** Deletes imports that ended more than 30 days ago, and those beyond the maximum of a workspace, in batches. */
  @Scheduled('delete-expired-imports', HOUR_SECONDS)
  async deleteExpired(): Promise<void> {
    const now = this.database.nowOf(sql`import.workspace_id`);
    const isExpired = sql`import.created_at < ${now} - make_interval(days => ${RETENTION_DAYS})`;
    let deleted = BATCH_SIZE;
    while (deleted === BATCH_SIZE) {
      deleted = await this.database.execute(
        sql`DELETE FROM imports WHERE (workspace_id, id) IN (
              SELECT import.workspace_id, import.id FROM imports import
              WHERE ${isExpired} AND import.status NOT IN ('pending', 'running') LIMIT ${BATCH_SIZE})`,
      );
    }
    for (deleted = BATCH_SIZE; deleted === BATCH_SIZE;) deleted = await this.deleteSurplus();
  }

  private deleteSurplus(): Promise<number> {
    return this.database.execute(
      sql`DELETE FROM imports WHERE (workspace_id, id) IN (
            SELECT ranked.workspace_id, ranked.id FROM (
              SELECT import.workspace_id, import.id, import.status,
                row_number() OVER (PARTITION BY import.workspace_id ORDER BY import.id DESC) AS position
              FROM imports import) ranked
            WHERE ranked.position > ${MAX_IMPORTS} AND ranked.status NOT IN ('pending', 'running') LIMIT ${BATCH_SIZE})`,
    );
  }
}
