import { Injectable } from '@nestjs/common';
import { TenantDatabase } from './tenant-database.js';
import { Sql, sql } from '@outreach/sql-fragments';
import { DatabaseUnavailable } from './database-errors.js';

/** How long DDL waits for its lock, and so makes readers and writers of the table wait. The next run tries again. */
const LOCK_TIMEOUT_MS = 500;
const LOCK_NOT_AVAILABLE = '55P03';
const CHECK_VIOLATION = '23514';
const RETRY_LATER_CODES = [LOCK_NOT_AVAILABLE, CHECK_VIOLATION];
/** The first key of the advisory locks of tables whose partitions change. Any number that no other lock in this database uses. */
const PARTITION_LOCKS = 1_795_201;
const MS_PER_DAY = 86_400_000;

/** A day with more rows in the default partition gets none of its own: moving them would make others wait for long. */
const MAX_TRANSFERRED_ROWS = 20_000;

/**
 * Creates and drops partitions of tables that are partitioned by the day (UTC) of `created_at`, because dropping a
 * partition is cheaper than deleting its rows. A partition is named `{table}_{yyyymmdd}`. A row of a day without a
 * partition goes to the default partition, `{table}_default`: those of a sandbox whose clock is ahead, for example.
 */
@Injectable()
export class DailyPartitions {
  private readonly database: TenantDatabase;

  constructor(database: TenantDatabase) {
    this.database = database.withoutTimeLimits();
  }

  /**
   * Creates the partitions of today and of the next `daysAhead` days, with the rows that are already in the default
   * partition. A day with very many of them gets none.
   * @returns the names of the new partitions
   */
  async extend(table: string, today: Date, daysAhead: number): Promise<string[]> {
    const existing = new Set(await this.partitions(table));
    const days = Array.from({ length: daysAhead + 1 }, (_, n) => new Date(startOfDay(today) + n * MS_PER_DAY));
    const missing = days.filter((day) => !existing.has(partitionName(table, day)));
    const created: string[] = [];
    for (const day of missing) if (await this.createPartition(table, day)) created.push(partitionName(table, day));
    return created;
  }

  /**
   * Drops the partitions of the days before `oldest`, and deletes the rows of these days from the default partition.
   * @returns the names of the dropped partitions
   */
  async dropBefore(table: string, oldest: Date): Promise<string[]> {
    const first = partitionName(table, oldest);
    const old = (await this.partitions(table)).filter((name) => name !== defaultPartitionOf(table) && name < first);
    const dropped: string[] = [];
    for (const name of old)
      if (await this.runDdl(table, sql`DROP TABLE IF EXISTS ${sql.ref(name)}`)) dropped.push(name);
    const day = new Date(startOfDay(oldest));
    await this.database.execute(sql`DELETE FROM ${sql.ref(defaultPartitionOf(table))} WHERE created_at < ${day}`);
    return dropped;
  }

  private async partitions(table: string): Promise<string[]> {
    const rows = await this.database.query<{ name: string }>(
      sql`SELECT partition.relname AS name FROM pg_inherits
          JOIN pg_class partition ON partition.oid = pg_inherits.inhrelid
          WHERE pg_inherits.inhparent = ${table}::regclass ORDER BY 1`,
    );
    return rows.map(({ name }) => name);
  }

  private async createPartition(table: string, day: Date): Promise<boolean> {
    const [from, to] = [day, new Date(day.getTime() + MS_PER_DAY)];
    const [parent, partition] = [sql.ref(table), sql.ref(partitionName(table, day))];
    const create = sql`CREATE TABLE IF NOT EXISTS ${partition} PARTITION OF ${parent}
      FOR VALUES FROM (${literal(from)}) TO (${literal(to)})`;
    const rows = sql`${sql.ref(defaultPartitionOf(table))} WHERE created_at >= ${from} AND created_at < ${to}`;
    const [found] = await this.database.query<{ count: number }>(
      sql`SELECT count(*)::int AS count FROM (SELECT 1 FROM ${rows} LIMIT ${MAX_TRANSFERRED_ROWS + 1}) counted`,
    );
    const count = found?.count ?? 0;
    if (count > MAX_TRANSFERRED_ROWS) return false;
    return count === 0 ? this.runDdl(table, create) : this.createWithRows(table, partition, { create, rows });
  }

  /** Moves the rows of the new partition out of the default one, which is locked meanwhile. */
  private createWithRows(
    table: string,
    partition: Sql,
    { create, rows }: { readonly create: Sql; readonly rows: Sql },
  ): Promise<boolean> {
    const [parent, waiting] = [sql.ref(table), sql.ref(`transferred_${table}`)];
    return this.runDdl(
      table,
      sql`LOCK TABLE ${parent} IN ACCESS EXCLUSIVE MODE`,
      sql`CREATE TEMPORARY TABLE ${waiting} (LIKE ${parent}) ON COMMIT DROP`,
      sql`WITH transferred AS (DELETE FROM ${rows} RETURNING *) INSERT INTO ${waiting} SELECT * FROM transferred`,
      create,
      sql`INSERT INTO ${partition} SELECT * FROM ${waiting}`,
    );
  }

  /**
   * Runs statements about the partitions of a table, which other processes run before or after it.
   * @returns false if a lock was not available in time
   */
  private async runDdl(table: string, ...statements: readonly Sql[]): Promise<boolean> {
    try {
      await this.database.transaction(async (tx) => {
        await tx.query(sql`SELECT set_config('lock_timeout', ${`${LOCK_TIMEOUT_MS}ms`}, TRUE)`);
        await tx.query(sql`SELECT pg_advisory_xact_lock(${PARTITION_LOCKS}::int, hashtext(${table}))`);
        for (const statement of statements) await tx.execute(statement);
      });
      return true;
    } catch (error) {
      const { code } = (error instanceof DatabaseUnavailable ? error.cause : error) as { code?: string };
      if (RETRY_LATER_CODES.some((expected) => expected === code)) return false;
      throw error;
    }
  }
}

const startOfDay = (date: Date): number => date.getTime() - (date.getTime() % MS_PER_DAY);
const defaultPartitionOf = (table: string): string => `${table}_default`;
const partitionName = (table: string, day: Date): string =>
  `${table}_${day.toISOString().slice(0, 10).replaceAll('-', '')}`;

/** As a literal, because DDL takes no parameters. */
const literal = (bound: Date): Sql => new Sql([`'${bound.toISOString()}'`], []);
