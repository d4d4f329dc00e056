import type { PoolClient } from 'pg';
import type { DataSource } from 'typeorm';

/** Every so often the clock of the server is read again. */
const CLOCK_INTERVAL_MS = 30_000;

const engines = new WeakMap<DataSource, Engine>();

/** What runs the statements: one PostgreSQL, or one whose tables lie on several nodes (Citus). Found with the first connection. */
export class Engine {
  private distributed: boolean | undefined;
  private offsetMs = 0;
  private readAt = -Infinity;

  /** @returns that of the server of a data source */
  static of(source: DataSource): Engine {
    const known = engines.get(source) ?? new Engine();
    engines.set(source, known);
    return known;
  }

  /** Looks at the server, unless it is known. */
  async look(client: PoolClient): Promise<void> {
    this.distributed ??= await isDistributed(client);
    if (!this.distributed || performance.now() - this.readAt < CLOCK_INTERVAL_MS) return;
    this.readAt = performance.now();
    const before = Date.now();
    const { rows } = await client.query<{ now: Date }>('SELECT clock_timestamp() AS now');
    const between = (before + Date.now()) / 2;
    this.offsetMs = (rows[0]?.now.getTime() ?? between) - between;
  }

  /** The time of the server for statements on several nodes; undefined on one, which has `now()`. */
  get distributedAt(): Date | undefined {
    return this.distributed ? new Date(Date.now() + this.offsetMs) : undefined;
  }
}

/** Two statements, because a server without the extension does not know the table of the second. */
async function isDistributed(client: PoolClient): Promise<boolean> {
  const extension = await client.query(`SELECT FROM pg_extension WHERE extname = 'citus'`);
  if (extension.rowCount === 0) return false;
  const tables = await client.query(`SELECT FROM pg_dist_partition WHERE partmethod = 'h' LIMIT 1`);
  return tables.rowCount !== 0;
}
