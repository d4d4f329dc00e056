import type { EnrollmentStatus } from '../../campaigns/index.js';
import { sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { COUNTED, MESSAGE_COUNTS, type Counts } from './stats.queries.js';

/** What stays of an erased contact: numbers of its campaigns, as counters (`record_counts`). Nothing of it waits any more. */
const RETAINED = COUNTED.filter((name) => name !== 'queued');
const RETAINED_STATUSES = ['completed', 'failed', 'unsubscribed'] as const satisfies readonly EnrollmentStatus[];

type Level = 'campaign' | 'step' | 'variant';
const counter = (level: Level, name: string): string => `erased_${level}_${name}`;
const COUNTERS = (['campaign', 'step', 'variant'] as const).flatMap((level) =>
  RETAINED.map((name) => counter(level, name)),
);
const STATUS_COUNTERS = RETAINED_STATUSES.map((status) => `erased_enrollments_${status}`);

/**
 * Adds what a contact counts in the statistics of its campaigns to counters. Call it before the contact is deleted, in the
 * same transaction. It locks the contact's enrollments and messages, so that no result comes in between.
 */
export async function keepFigures(tx: WorkspaceScope, contactId: number): Promise<void> {
  const enrollments = sql`SELECT enrollment.id FROM enrollments enrollment
    WHERE enrollment.workspace_id = ${tx} AND enrollment.contact_id = ${contactId}`;
  for (const table of ['queued_messages', 'messages'])
    await tx.query(
      sql`SELECT 1 FROM ${sql.ref(table)} message
          WHERE message.workspace_id = ${tx} AND message.enrollment_id IN (${enrollments}) ORDER BY id FOR UPDATE`,
    );
  await tx.query(sql`${enrollments} ORDER BY enrollment.id FOR UPDATE`);
  const level = (name: Level, owner: ReturnType<typeof sql>) => sql`
    SELECT ${`erased_${name}_`}::text AS level, ${owner} AS owner_id, ${MESSAGE_COUNTS} FROM all_messages message
    WHERE message.workspace_id = ${tx} AND message.enrollment_id IN (${enrollments}) AND message.reply_id IS NULL
      AND ${owner} IS NOT NULL
    GROUP BY ${owner}`;
  await tx.execute(
    sql`WITH counted AS (
          ${level('campaign', sql`message.campaign_id`)}
          UNION ALL ${level('step', sql`message.step_id`)}
          UNION ALL ${level('variant', sql`message.variant_id`)}
        )
        INSERT INTO record_counts (workspace_id, counted, owner_id, total)
        SELECT ${tx}, counted.level || figure.key, counted.owner_id, figure.value::bigint
        FROM counted CROSS JOIN LATERAL jsonb_each_text(to_jsonb(counted) - 'level' - 'owner_id') figure
        WHERE figure.key = ANY(${[...RETAINED]}::text[]) AND figure.value <> '0'
        UNION ALL
        SELECT ${tx}, 'erased_enrollments_' || enrollment.status, enrollment.campaign_id, 1 FROM enrollments enrollment
        WHERE enrollment.workspace_id = ${tx} AND enrollment.contact_id = ${contactId}
          AND enrollment.status = ANY(${[...RETAINED_STATUSES]}::text[])`,
  );
}

/** The figures of a campaign that are left of erased contacts. */
export class ErasedFigures {
  private constructor(private readonly totals: ReadonlyMap<string, number>) {}

  /** Reads those of a campaign. @param owners the IDs of its steps and variants, too */
  static async of(scope: WorkspaceScope, campaignId: number, owners: readonly number[]): Promise<ErasedFigures> {
    const rows = await scope.query<{ counted: string; owner_id: number; total: number }>(
      sql`SELECT counted, owner_id, sum(total)::bigint AS total FROM record_counts
          WHERE workspace_id = ${scope} AND counted = ANY(${[...COUNTERS, ...STATUS_COUNTERS]}::text[])
            AND owner_id = ANY(${[campaignId, ...owners]}::bigint[])
          GROUP BY counted, owner_id`,
    );
    return new ErasedFigures(
      new Map(rows.map(({ counted, owner_id: owner, total }) => [`${counted}:${owner}`, total])),
    );
  }

  /** Returns counts with those of erased contacts. */
  add<T extends Counts>(level: Level, owner: number, counts: T): T {
    const added = RETAINED.map((name): [string, number] => [
      name,
      counts[name] + this.total(counter(level, name), owner),
    ]);
    return { ...counts, ...Object.fromEntries(added) };
  }

  /** Returns the numbers of enrollments with those of erased contacts. */
  addEnrollments(campaignId: number, counts: Record<EnrollmentStatus, number>): Record<EnrollmentStatus, number> {
    const added = RETAINED_STATUSES.map((status): [string, number] => [
      status,
      counts[status] + this.total(`erased_enrollments_${status}`, campaignId),
    ]);
    return { ...counts, ...Object.fromEntries(added) };
  }

  private total(counted: string, owner: number): number {
    return this.totals.get(`${counted}:${owner}`) ?? 0;
  }
}
