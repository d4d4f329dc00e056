import type { OnNodes } from '@outreach/sql-fragments';
import type { PoolClient } from 'pg';
import type { DataSource } from 'typeorm';

/** For how long what was read of the coordinator is used. */
const READ_MS = 1_000;

const engines = new WeakMap<DataSource, Engine>();

/** What runs the statements: one PostgreSQL, or one whose tables lie on several nodes (Citus). */
export class Engine {
  private distributed: boolean | undefined;
  /** From `performance.now()` to the clock of the coordinator. */
  private offsetMs = 0;
  private locks: Pick<OnNodes, 'locks' | 'locksReadAt'> = { locks: [], locksReadAt: new Date(0) };
  private readAt = -Infinity;
  private reading: Promise<void> | undefined;

  /** @returns that of the server of a data source */
  static of(source: DataSource): Engine {
    const known = engines.get(source) ?? new Engine();
    engines.set(source, known);
    return known;
  }

  /** Finds out what the server is, and reads what is old. */
  async check(client: PoolClient): Promise<void> {
    this.distributed ??= await isDistributed(client);
    // What was read later than now was read before a test has set the clock back.
    if (!this.distributed || Math.abs(performance.now() - this.readAt) < READ_MS) return;
    this.reading ??= this.read(client).finally(() => (this.reading = undefined));
    await this.reading;
  }

  /** What statements need as parameters on several nodes; undefined on one server. */
  get nodes(): OnNodes | undefined {
    return this.distributed ? { at: new Date(performance.now() + this.offsetMs), ...this.locks } : undefined;
  }

  /** The clock of the coordinator, and the locks that only its own `pg_locks` has: a node would answer that there are none. */
  private async read(client: PoolClient): Promise<void> {
    const before = performance.now();
    const { rows } = await client.query<{ now: Date; locks: OnNodes['locks'] }>(
      // `now()` is the beginning of the statement, so what is locked by then is among the locks.
      `SELECT now(), (
         SELECT coalesce(json_agg(json_build_array(classid::bigint, objid::bigint)), '[]') FROM pg_locks
         WHERE locktype = 'advisory' AND objsubid = 2 AND granted
           AND database = (SELECT oid FROM pg_database WHERE datname = current_database())) AS locks`,
    );
    const between = (before + performance.now()) / 2;
    if (!rows[0]) return;
    const { now, locks } = rows[0];
    this.offsetMs = now.getTime() - between;
    this.locks = { locks, locksReadAt: now };
    this.readAt = before;
  }
}

/** Two statements, because a server without the extension does not know the table of the second. */
async function isDistributed(client: PoolClient): Promise<boolean> {
  const extension = await client.query(`SELECT 1 FROM pg_extension WHERE extname = 'citus'`);
  if (extension.rowCount === 0) return false;
  const tables = await client.query(`SELECT 1 FROM pg_dist_partition WHERE partmethod = 'h' LIMIT 1`);
  return tables.rowCount !== 0;
}
