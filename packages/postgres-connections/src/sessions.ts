import { randomInt } from 'node:crypto';
import type pg from 'pg';
import { newClient } from './connection-options.js';

/** The maximum of `randomInt`. */
const MAX_KEY = 2 ** 48 - 1;

/**
 * Whether a connection to this URL has a session of PostgreSQL for itself, as `LISTEN`, session settings and locks of
 * sessions require. A connection pooler in transaction mode gives it another one for each transaction.
 */
export async function hasOwnSession(url: string): Promise<boolean> {
  return withClients([url, url], async (first, second) => {
    await first.connect();
    const pid = await backendOf(first);
    // PostgreSQL sends the process ID of the session with the login; a pooler sends a number of its own.
    if (pid === (first as unknown as { processID: number }).processID) return true;
    await second.connect();
    // The session that has just become free is the first one that a pooler uses again.
    const isShared = (await backendOf(second)) === pid;
    return !isShared && (await backendOf(first)) === pid;
  });
}

/**
 * Whether both URLs lead to the same database of the same server, directly or through a connection pooler in any mode. A
 * copy of the database, such as a standby, is another one: they do not share locks.
 */
export async function isSameDatabase(url: string, other: string): Promise<boolean> {
  return withClients([url, other], async (first, second) => {
    const key = randomInt(1, MAX_KEY);
    await Promise.all([first.connect(), second.connect()]);
    // In a transaction, a pooler does not change the session.
    await first.query('BEGIN');
    await first.query('SELECT pg_advisory_xact_lock($1)', [key]);
    const { rows } = await second.query<{ free: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS free', [key]);
    await first.query('ROLLBACK');
    return rows[0]?.free === false;
  });
}

/** Calls `work` with a client for each URL that is not connected yet, and closes both. */
async function withClients<R>(
  urls: readonly [string, string],
  work: (first: pg.Client, second: pg.Client) => Promise<R>,
): Promise<R> {
  const clients = [newClient(urls[0]), newClient(urls[1])] as const;
  try {
    return await work(...clients);
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
  }
}

async function backendOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]?.pid ?? 0;
}
