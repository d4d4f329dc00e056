import { checkNewConnection, connectionOptions } from '@outreach/postgres-connections';
import { type BackendFactory, createPostgresBackend, DEFAULT_SCHEMA } from 'bullmq';
import pg from 'pg';

/**
 * PgBouncer refuses `options` at the start of a session. Commits do not wait for the disk: jobs only wake workers, and a
 * crash of PostgreSQL may lose the last ones. The pool waits for this promise.
 */
async function configureSession(client: pg.ClientBase): Promise<void> {
  await checkNewConnection(client);
  await client.query(`SET search_path TO ${DEFAULT_SCHEMA}; SET synchronous_commit TO off`);
}

/** The connections to PostgreSQL that one queue or worker may open, in addition to one that listens. */
const CONNECTIONS_PER_QUEUE = 2;

/**
 * How long PostgreSQL may not respond to a statement of BullMQ before its connection is closed: it may have vanished while the
 * statement was under way.
 */
const RESPONSE_TIMEOUT_MS = 30_000;

interface PostgresBackendOptions {
  readonly responseTimeoutMs?: number;
  /** Called for each connection that has opened. */
  readonly onConnected?: () => void;
}

/**
 * Returns how BullMQ connects to PostgreSQL: with a pool for each queue and worker, like those that it creates itself, but
 * whose connections may end at any time. BullMQ listens for errors of its own connections only after they have opened.
 */
export const postgresBackend =
  (
    databaseUrl: string,
    { responseTimeoutMs = RESPONSE_TIMEOUT_MS, onConnected }: PostgresBackendOptions = {},
  ): BackendFactory =>
  (name, options, extra) => {
    const isListening = extra?.withBlockingConnection ?? extra?.blocking ?? false;
    const pool = new pg.Pool({
      ...connectionOptions(databaseUrl),
      query_timeout: responseTimeoutMs,
      max: CONNECTIONS_PER_QUEUE + (isListening ? 1 : 0),
      onConnect: (client): unknown => configureSession(client).then(onConnected),
    });
    const backend = createPostgresBackend(name, { ...options, connection: pool }, extra);
    backend.on('close', () => void pool.end());
    return backend;
  };
