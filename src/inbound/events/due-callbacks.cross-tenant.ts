import { Injectable } from '@nestjs/common';
import { declareGauge, Sampled } from '@outreach/metrics';
import { SAMPLE_LIMITS } from '@outreach/database';
import { MAX_UNTOUCHED_SECONDS, UntouchedKeys } from '@outreach/job-queue';
import { Database, type Sql, sql, type WorkspacesInTime } from '../../platform/database/index.js';
import { workspaceRotation } from '../../platform/queue/index.js';
import { WorkspaceScope } from '../../platform/tenancy/index.js';
import { hasFailed } from './failed-callbacks.cross-tenant.js';

const SECONDS = 15;
/** Limits the duration of the count. */
const MAX_COUNTED = 100_000;

const waiting = declareGauge({
  name: 'outreach_callbacks_waiting',
  help: 'Requests with events of providers that are stored and not yet processed, the same in every process; exact up to 100,000',
});

const oldest = declareGauge({
  name: 'outreach_callbacks_oldest_seconds',
  help: 'For how long the oldest stored request with events of providers has been waiting, also for another attempt; 0 if none is, the same in every process',
});

const failed = declareGauge({
  name: 'outreach_callbacks_failed',
  help: 'Events of providers that could not be recorded and are tried again for seven days, the same in every process',
});

/** Queries over the callbacks of all workspaces. */
@Injectable()
export class DueCallbacks {
  private readonly sampled: Database;
  /** The workspaces with callbacks that have been due for a minute. */
  readonly lateWorkspaces: UntouchedKeys;

  constructor(private readonly database: Database) {
    this.sampled = database.withTimeLimits(SAMPLE_LIMITS);
    const earlier = sql`${sql.realNow} - make_interval(secs => ${MAX_UNTOUCHED_SECONDS})`;
    this.lateWorkspaces = new UntouchedKeys(database, () => dueAt(earlier));
  }

  /** Selects the workspaces with callbacks that are due. Jumps through the index from workspace to workspace. */
  workspaces(workspaces: WorkspacesInTime): Sql {
    return sql`${dueAt(sql.realNow)}${workspaces.within(sql`waiting.workspace_id`)}
      ${workspaceRotation(sql`waiting.workspace_id`)}`;
  }

  open(workspaceId: number): Promise<WorkspaceScope> {
    return WorkspaceScope.open(workspaceId, this.database.withoutTimeLimits());
  }

  @Sampled({ name: 'callbacks', gauges: [waiting, oldest, failed], seconds: SECONDS })
  async sample(): Promise<void> {
    const [row] = await this.sampled.query<{ callbacks: number; failed: number; seconds: number }>(
      sql`SELECT count(*)::int AS callbacks, (count(*) FILTER (WHERE has_failed))::int AS failed,
            coalesce(extract(epoch FROM ${sql.realNow} - min(created_at)), 0)::float8 AS seconds
          FROM (SELECT callback.created_at, ${hasFailed} AS has_failed FROM provider_callbacks callback
            LIMIT ${MAX_COUNTED}) counted`,
    );
    waiting.set(row?.callbacks ?? 0);
    failed.set(row?.failed ?? 0);
    oldest.set(Math.max(0, row?.seconds ?? 0));
  }
}

const dueAt = (instant: Sql): Sql =>
  sql.byEngine(
    sql`WITH RECURSIVE waiting (workspace_id) AS (
        (SELECT workspace_id FROM provider_callbacks ORDER BY workspace_id LIMIT 1)
        UNION ALL
        SELECT next.workspace_id FROM waiting CROSS JOIN LATERAL (
          SELECT callback.workspace_id FROM provider_callbacks callback
          WHERE callback.workspace_id > waiting.workspace_id ORDER BY callback.workspace_id LIMIT 1) next
      )
      SELECT waiting.workspace_id, waiting.workspace_id AS id FROM waiting
      WHERE EXISTS (SELECT 1 FROM provider_callbacks callback
        WHERE callback.workspace_id = waiting.workspace_id AND callback.next_attempt_at <= ${instant})`,
    sql`SELECT waiting.workspace_id, waiting.workspace_id AS id
      FROM (SELECT DISTINCT workspace_id FROM provider_callbacks WHERE next_attempt_at <= ${instant}) waiting WHERE TRUE`,
  );
