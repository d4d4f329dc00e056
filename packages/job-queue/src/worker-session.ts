import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { describeDatabase, newClient } from '@outreach/postgres-connections';
import type pg from 'pg';
import { Log } from '@outreach/logging';
import { NodesValue, sql, type Sql } from '@outreach/sql-fragments';
import { WORKER } from './lease-renewer.js';
import { type NamedQueueStore, QUEUE_STORE } from './queue-store.js';

/** The first key of the advisory locks of workers. Any number that no other lock in this database uses. */
const WORKER_LOCKS = 1_795_200;

/** A sub-select that counts the workers that are connected to this database. */
export const countWorkers = (): Sql =>
  sql`(SELECT count(DISTINCT pid) FROM pg_locks
       WHERE locktype = 'advisory' AND classid = ${WORKER_LOCKS}::oid AND objsubid = 2 AND granted
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))`;

/** For how long an expired lease of a process that is connected, but does not renew it, is left alone. */
export const MAX_STALL_SECONDS = 60;

/**
 * For how long a process is connected before it calls others dead. An outage of the database ends all sessions: those that
 * live need some time until they are connected again and have renewed their leases.
 */
const SETTLING_MS = 10_000;

/** The longest pause before the connection is opened again. The first one is short. */
const MAX_RECONNECT_MS = 1_000;

/**
 * A connection to PostgreSQL that shows the other workers that this process lives, by a lock on {@link WORKER}. The
 * lock stays while the event loop is busy or the process is stopped, which ends every renewal of its leases; PostgreSQL
 * releases it when the process dies, because the operating system closes the connection.
 */
@Injectable()
export class WorkerSession implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly databaseName: string;
  private client: pg.Client | undefined;
  private timer: NodeJS.Timeout | undefined;
  private isClosing = false;
  private failures = 0;
  /** When the lock was taken, by `performance.now()`. */
  private lockedAt: number | undefined;

  constructor(
    @Inject(QUEUE_STORE) private readonly store: NamedQueueStore,
    private readonly log: Log,
  ) {
    this.databaseName = `PostgreSQL ${describeDatabase(store.database_url)}`;
  }

  onApplicationBootstrap(): Promise<void> {
    return this.connect();
  }

  /** Whether the session is open for long enough to conclude from a missing session that its worker is dead. */
  get isSettled(): boolean {
    return this.lockedAt !== undefined && performance.now() - this.lockedAt >= SETTLING_MS;
  }

  /** The last step of a worker: its drains have ended. */
  async onApplicationShutdown(): Promise<void> {
    this.isClosing = true;
    clearTimeout(this.timer);
    await this.client?.end().catch(() => undefined);
  }

  /** Never rejects: it is repeated until it succeeds. Without the lock, the leases of this process are still renewed. */
  private async connect(): Promise<void> {
    const client = newClient(this.store.database_url, { application_name: this.store.session_name });
    client.once('end', () => this.reconnect(client));
    this.client = client;
    try {
      await client.connect();
      await client.query(`SELECT ${SESSION_SETTINGS}`);
      await client.query('SELECT pg_advisory_lock_shared($1, hashtext($2))', [WORKER_LOCKS, WORKER]);
      this.lockedAt = performance.now();
      this.failures = 0;
      this.log.restored(this.databaseName);
    } catch (error) {
      this.failures += 1;
      this.log.lost(this.databaseName, error);
      await client.end().catch(() => undefined);
      this.reconnect(client);
    }
  }

  /** With a random part, so that the workers do not return at the same time. */
  private reconnect(ended: pg.Client): void {
    if (this.isClosing || ended !== this.client) return;
    this.lockedAt = undefined;
    clearTimeout(this.timer);
    const longest = Math.min(100 * 2 ** this.failures, MAX_RECONNECT_MS);
    this.timer = setTimeout(() => void this.connect(), longest * (0.5 + Math.random() / 2)).unref();
  }
}

/** PostgreSQL keeps an idle session, and notices within half a minute if the host of the process is gone. */
const SESSION_SETTINGS = [
  ['idle_session_timeout', 0],
  ['tcp_keepalives_idle', 10],
  ['tcp_keepalives_interval', 5],
  ['tcp_keepalives_count', 4],
]
  .map(([name, value]) => `set_config('${name}', '${value}', FALSE)`)
  .join();

const workersOnNodes = new NodesValue(({ locks }) =>
  locks.flatMap(([classId, worker]) => (classId === WORKER_LOCKS ? [worker] : [])),
);

/** The time of which {@link hasSession} tells. On several nodes a worker may have connected since. */
export const sessionsReadAt = sql.byEngine(
  sql.realNow,
  sql`${new NodesValue(({ locksReadAt }) => locksReadAt)}::timestamptz`,
);

/** SELECT of the sessions of all workers, as advisory locks. */
const workerSessions = sql.byEngine(
  sql`SELECT session.objid::bigint AS worker FROM pg_locks session
  WHERE session.locktype = 'advisory' AND session.objsubid = 2 AND session.granted
    AND session.database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND session.classid::bigint = ${WORKER_LOCKS}`,
  sql`SELECT worker FROM unnest(${workersOnNodes}::bigint[]) AS living (worker)`,
);

const lockKeyOf = (worker: Sql): Sql => sql`(hashtext(${worker}::text)::bigint & 4294967295)`;

/** The condition that this process has a session, and no other worker has one. */
export const isOnlyWorker = sql`(SELECT coalesce(bool_and(worker = ${lockKeyOf(sql`${WORKER}`)}), FALSE)
  FROM (${workerSessions}) session)`;

/** The condition that a worker is connected, so that it lives. @param worker its ID, or NULL */
export const hasSession = (worker: Sql): Sql => {
  const key = lockKeyOf(worker);
  const isFound = sql.byEngine(sql`${key} IN (${workerSessions})`, sql`${key} = ANY(${workersOnNodes}::bigint[])`);
  return sql`coalesce(${isFound}, FALSE)`;
};

/**
 * The condition that a lease is over: it has expired, and its process does not renew it any more. That is this process,
 * one that has died, or one that has not renewed it for {@link MAX_STALL_SECONDS} although it is connected. It had expired when
 * the sessions were read, so its worker was connected then, or died before.
 * @param record a row with `leased_by` and `lease_until`
 */
export const isLeaseOver = (record: Sql): Sql => sql`(${record}.lease_until <= ${sessionsReadAt} AND (
  ${record}.leased_by = ${WORKER}::uuid
  OR ${record}.lease_until <= ${sql.later(sessionsReadAt, sql`-make_interval(secs => ${MAX_STALL_SECONDS})`)}
  OR NOT ${hasSession(sql`${record}.leased_by`)}))`;
