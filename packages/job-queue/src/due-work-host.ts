import type { Sql } from '@outreach/sql-fragments';

/**
 * What a job works on: one record of one tenant, such as a mailbox, whose work is done in order of its due dates. The service
 * declares its columns by declaration merging:
 * `declare module '@outreach/job-queue' { interface JobKey { readonly tenant_id: number; readonly id: number } }`
 */
export interface JobKey {}

/** Which rows a poll for due work reads. The service declares it like {@link JobKey}; it may be all of them. */
export interface PollRange {}

/** What the service tells of its due work. */
export abstract class DueWorkHost {
  /** @returns the columns of a key alone; a row that was found may have more */
  abstract keyOf(row: JobKey): JobKey;

  /** @returns an ID that is unique in a queue */
  abstract idOf(key: JobKey): string;

  /** @returns the tenant, who shares the places of a process with the others */
  abstract tenantOf(key: JobKey): number;

  /** @returns what a poll reads, each with a statement of its own */
  abstract ranges(): readonly PollRange[];

  /**
   * @param within a further condition, which begins with `AND`, on the tenant whose ID an SQL expression returns
   * @returns what of a range meets it
   */
  abstract narrowed(range: PollRange, within: (tenantId: Sql) => Sql): PollRange;

  /** Is called before scheduled tasks run, of which the poll is one: reads what other processes may have changed. */
  abstract refresh(): Promise<void> | undefined;
}
