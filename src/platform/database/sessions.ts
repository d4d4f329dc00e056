import pg from 'pg';
import { ignoreConnectionErrors } from './lost-connections.js';

const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Whether a connection to this URL has a session of PostgreSQL for itself, as `LISTEN`, session settings and locks of
 * sessions require. A connection pooler in transaction mode gives it another one for each transaction.
 */
export async function hasOwnSession(url: string): Promise<boolean> {
  return withClients(url, async (first, second) => {
    const pid = await backendOf(first);
    // PostgreSQL sends the process ID of the session with the login; a pooler sends a number of its own.
    if (pid === (first as unknown as { processID: number }).processID) return true;
    await second.connect();
    // The session that has just become free is the first one that a pooler uses again.
    const isShared = (await backendOf(second)) === pid;
    return !isShared && (await backendOf(first)) === pid;
  });
}

async function withClients<R>(url: string, work: (first: pg.Client, second: pg.Client) => Promise<R>): Promise<R> {
  const clients = [newClient(url), newClient(url)] as const;
  try {
    await clients[0].connect();
    return await work(...clients);
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
  }
}

function newClient(connectionString: string): pg.Client {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  ignoreConnectionErrors(client);
  return client;
}

async function backendOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]?.pid ?? 0;
}
