import { Injectable } from '@nestjs/common';
import { Log } from '@outreach/logging';
import { declareGauge, Sampled } from '@outreach/metrics';
import { oldestTransaction, SAMPLE_LIMITS, type UnfinishedTransaction } from '@outreach/database';
import { Scheduled } from '@outreach/job-queue';
import { Database, type Sql, sql } from '../../platform/database/index.js';
import { waitsForImport, waitsForTransaction } from './due-erasures.cross-tenant.js';

const SAMPLE_SECONDS = 60;
/** An erasure is completed within two minutes, unless it waits. */
const LATE_SECONDS = 300;

const open = declareGauge({
  name: 'outreach_erasures_open',
  help: 'Erasures of contacts that are not completed, the same in every process',
});

const oldest = declareGauge({
  name: 'outreach_erasures_oldest_seconds',
  help: 'For how long the oldest of these erasures has been open; 0 if none is, the same in every process. One that waits for a transaction stays open',
});

const seconds = sql`extract(epoch FROM ${sql.realNow} - coalesce(erasure.requested_at, erasure.created_at))::float8`;
const isLate = sql`erasure.completed_at IS NULL
  AND coalesce(erasure.requested_at, erasure.created_at) <= ${sql.realNow} - make_interval(secs => ${LATE_SECONDS})`;

/** Erasures whose last search waits for what began before them, and what that is. */
export interface WaitingErasures {
  /** How many wait for an import that has not ended. */
  readonly for_imports: number;
  /** How many wait for a transaction that is still open. */
  readonly for_transactions: number;
  /** For how long the first one has waited. */
  readonly seconds: number;
  /** The transaction that has been open for longest; null if this role sees none. */
  readonly transaction: UnfinishedTransaction | null;
}

/** SELECT of the {@link WaitingErasures} that have been open for five minutes: one row, also if there are none. */
export const lateErasures: Sql = sql`
  WITH waiting AS MATERIALIZED (
    SELECT count(*) FILTER (WHERE late.for_import)::int AS for_imports,
      count(*) FILTER (WHERE NOT late.for_import AND late.for_transaction)::int AS for_transactions,
      coalesce(max(late.seconds) FILTER (WHERE late.for_import OR late.for_transaction), 0)::float8 AS seconds
    FROM (SELECT ${seconds} AS seconds, ${waitsForImport(sql`erasure`)} AS for_import,
            ${waitsForTransaction(sql`erasure`)} AS for_transaction
          FROM erasures erasure WHERE ${isLate} AND erasure.is_last_search) late
  )
  SELECT waiting.*, to_jsonb(oldest) AS transaction FROM waiting LEFT JOIN (${oldestTransaction}) oldest ON TRUE`;

/** Shows the erasures of all workspaces that are not completed: a person expects that the data are deleted. */
@Injectable()
export class ErasureReports {
  private readonly database: Database;

  constructor(
    database: Database,
    private readonly log: Log,
  ) {
    this.database = database.withTimeLimits(SAMPLE_LIMITS);
  }

  @Sampled({ name: 'erasures', gauges: [open, oldest], seconds: SAMPLE_SECONDS })
  async sample(): Promise<void> {
    const [row] = await this.database.query<{ erasures: number; seconds: number }>(
      sql`SELECT count(*)::int AS erasures, coalesce(max(${seconds}), 0)::float8 AS seconds
          FROM erasures erasure WHERE erasure.completed_at IS NULL`,
    );
    open.set(row?.erasures ?? 0);
    oldest.set(Math.max(0, row?.seconds ?? 0));
  }

  @Scheduled('report-waiting-erasures', LATE_SECONDS, sql`EXISTS (SELECT 1 FROM erasures erasure WHERE ${isLate})`)
  async report(): Promise<void> {
    const [late] = await this.database.query<WaitingErasures & Record<string, unknown>>(lateErasures);
    if (!late || late.for_imports + late.for_transactions === 0) return;
    this.log.warn('erasures wait for transactions or imports that began before them', { ...late });
  }
}
