import type { EnrollmentStatus } from '../../campaigns/index.js';
import { addCounts, deleteCounts, type Sql, sql } from '../../platform/database/index.js';
import type { WorkspaceScope } from '../../platform/tenancy/index.js';
import { COUNTED, MESSAGE_COUNTS, type Counts } from './stats.queries.js';

/**
 * What stays of messages that are deleted, and of erased contacts: numbers of campaigns, as counters (`record_counts`). Nothing
 * of them waits any more.
 */
const RETAINED = COUNTED.filter((name) => name !== 'queued');
const RETAINED_STATUSES = ['completed', 'failed', 'unsubscribed'] as const satisfies readonly EnrollmentStatus[];

type Level = 'campaign' | 'step' | 'variant';
const counter = (level: Level, name: string): string => `erased_${level}_${name}`;
const COUNTERS = (['campaign', 'step', 'variant'] as const).flatMap((level) =>
  RETAINED.map((name) => counter(level, name)),
);
const STATUS_COUNTERS = RETAINED_STATUSES.map((status) => `erased_enrollments_${status}`);

/**
 * Locks enrollments and their messages until the transaction ends, so that no result comes in between. The next statement sees
 * what the locks have waited for.
 */
export async function lockMessagesOf(tx: WorkspaceScope, enrollmentIds: readonly number[]): Promise<void> {
  const ids = sql`${[...enrollmentIds]}::bigint[]`;
  for (const table of ['queued_messages', 'messages'])
    await tx.query(
      sql`SELECT 1 FROM ${sql.ref(table)} message
          WHERE message.workspace_id = ${tx} AND message.enrollment_id = ANY(${ids}) ORDER BY id FOR UPDATE`,
    );
  await tx.query(
    sql`SELECT 1 FROM enrollments enrollment
        WHERE enrollment.workspace_id = ${tx} AND enrollment.id = ANY(${ids}) ORDER BY enrollment.id FOR UPDATE`,
  );
}

/**
 * Adds what the messages of enrollments count in the statistics of their campaigns to counters. Call it once per enrollment,
 * under {@link lockMessagesOf}, in the transaction that deletes all of its messages: an enrollment counts once in a campaign,
 * however many messages it has.
 */
export async function storeFigures(tx: WorkspaceScope, enrollmentIds: readonly number[]): Promise<void> {
  const level = (name: Level, owner: ReturnType<typeof sql>) => sql`
    SELECT ${`erased_${name}_`}::text AS level, ${owner} AS owner_id, ${MESSAGE_COUNTS} FROM all_messages message
    WHERE message.workspace_id = ${tx} AND message.enrollment_id = ANY(${[...enrollmentIds]}::bigint[])
      AND message.reply_id IS NULL AND ${owner} IS NOT NULL
    GROUP BY ${owner}`;
  await tx.execute(
    sql`WITH counted AS (
          ${level('campaign', sql`message.campaign_id`)}
          UNION ALL ${level('step', sql`message.step_id`)}
          UNION ALL ${level('variant', sql`message.variant_id`)}
        )
        ${addCounts(sql`
          SELECT ${tx}, counted.level || figure.key, counted.owner_id, figure.value::bigint
          FROM counted CROSS JOIN LATERAL jsonb_each_text(to_jsonb(counted) - 'level' - 'owner_id') figure
          WHERE figure.key = ANY(${[...RETAINED]}::text[]) AND figure.value <> '0'`)}`,
  );
}

/**
 * Adds what a contact counts in the statistics of its campaigns to counters: its messages and its enrollments. Call it before
 * the contact is deleted, under its lock, in the same transaction.
 */
export async function storeFiguresOfContact(tx: WorkspaceScope, contactId: number): Promise<void> {
  const enrollments = await tx.query<{ id: number }>(
    sql`SELECT id FROM enrollments WHERE workspace_id = ${tx} AND contact_id = ${contactId}`,
  );
  const ids = enrollments.map(({ id }) => id);
  await lockMessagesOf(tx, ids);
  await storeFigures(tx, ids);
  await tx.execute(
    addCounts(
      sql`SELECT ${tx}, 'erased_enrollments_' || enrollment.status, enrollment.campaign_id, 1 FROM enrollments enrollment
        WHERE enrollment.workspace_id = ${tx} AND enrollment.contact_id = ${contactId}
          AND enrollment.status = ANY(${[...RETAINED_STATUSES]}::text[])`,
    ),
  );
}

/** Deletes the counters of a campaign that is deleted in the same transaction, with those of its steps and variants. */
export async function deleteFigures(tx: WorkspaceScope, campaignId: number): Promise<void> {
  const steps = sql`SELECT step.id FROM campaign_steps step WHERE step.workspace_id = ${tx} AND step.campaign_id = ${campaignId}`;
  const variants = sql`SELECT variant.id FROM step_variants variant
    WHERE variant.workspace_id = ${tx} AND ${sql.among(sql`variant.step_id`, steps)}`;
  const ofLevel = (level: Level): Sql => sql`counted = ANY(${RETAINED.map((name) => counter(level, name))}::text[])`;
  await tx.execute(
    deleteCounts(
      tx,
      sql`counted = ANY(${[...COUNTERS, ...STATUS_COUNTERS]}::text[]) AND (
          owner_id = ${campaignId} AND (${ofLevel('campaign')} OR counted = ANY(${STATUS_COUNTERS}::text[]))
          OR ${ofLevel('step')} AND ${sql.among(sql`owner_id`, steps)} OR ${ofLevel('variant')} AND ${sql.among(sql`owner_id`, variants)})`,
    ),
  );
}

/** The figures of a campaign that are left of deleted messages and of erased contacts. */
export class StoredFigures {
  private constructor(private readonly totals: ReadonlyMap<string, number>) {}

  /** Reads those of a campaign. @param owners the IDs of its steps and variants, too */
  static async of(scope: WorkspaceScope, campaignId: number, owners: readonly number[]): Promise<StoredFigures> {
    const rows = await scope.query<{ counted: string; owner_id: number; total: number }>(
      sql`SELECT counted, owner_id, sum(total)::bigint AS total FROM record_counts
          WHERE workspace_id = ${scope} AND counted = ANY(${[...COUNTERS, ...STATUS_COUNTERS]}::text[])
            AND owner_id = ANY(${[campaignId, ...owners]}::bigint[])
          GROUP BY counted, owner_id`,
    );
    return new StoredFigures(
      new Map(rows.map(({ counted, owner_id: owner, total }) => [`${counted}:${owner}`, total])),
    );
  }

  add<T extends Counts>(level: Level, owner: number, counts: T): T {
    const added = RETAINED.map((name): [string, number] => [
      name,
      counts[name] + this.total(counter(level, name), owner),
    ]);
    return { ...counts, ...Object.fromEntries(added) };
  }

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
