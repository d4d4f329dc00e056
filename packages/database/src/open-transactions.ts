import { type Sql, sql } from '@outreach/sql-fragments';

/** SQL of the transaction ID (64 bits, a bigint) after the highest one whose transaction has ended: the xmax of a snapshot. */
const snapshotXmax: Sql = sql`pg_snapshot_xmax(pg_current_snapshot())::text::bigint`;

/** SQL of an ID with 64 bits. @param id one with 32 bits, as in `pg_locks`, less than 2^31 away from {@link snapshotXmax} */
const withAllBits = (id: Sql): Sql => sql`(
  ${snapshotXmax} + ((${id}::text::bigint - ${snapshotXmax} + 2147483648) & 4294967295) - 2147483648)`;

/**
 * SQL of the transactions of this database that may have written and have not ended, as tables `lock`, `session` and
 * `prepared`. Every transaction with an ID holds a lock on it until it has ended. Any role sees these locks, and the
 * databases of their sessions and of prepared transactions. (The xmin of a snapshot is that of all databases of the server.)
 */
const openTransactions: Sql = sql`pg_locks lock
  LEFT JOIN pg_stat_activity session ON session.pid = lock.pid
  LEFT JOIN pg_prepared_xacts prepared ON prepared.transaction = lock.transactionid
  WHERE lock.locktype = 'transactionid' AND lock.granted AND lock.mode = 'ExclusiveLock'
    AND coalesce(session.datname, prepared.database, current_database()) = current_database()`;

/**
 * SQL of the open transactions on several nodes: `pid`, `name`, `began_at`. Where it stands, the coordinator reads it, whose
 * transactions have no IDs if they write on nodes alone. So it is all of them that have begun, of the roles that it shows.
 */
const begunTransactions: Sql = sql`(
  SELECT session.pid, session.application_name AS name, session.xact_start AS began_at FROM pg_stat_activity session
  WHERE session.datname = current_database() AND session.pid <> pg_backend_pid()
    AND session.backend_type = 'client backend' AND session.xact_start IS NOT NULL
  UNION ALL
  SELECT NULL, prepared.gid, prepared.prepared FROM pg_prepared_xacts prepared
  WHERE prepared.database = current_database()) begun`;

/** SQL of an instant as a bigint: in microseconds. */
const microseconds = (instant: Sql): Sql => sql`(extract(epoch FROM ${instant}) * 1000000)::bigint`;

/**
 * SQL of the oldest transaction ID (a bigint) whose transaction may be open in this database: all before it have ended, and
 * a later statement sees what they have written.
 */
export const oldestOpenTransaction: Sql = sql`(
  SELECT coalesce(min(${withAllBits(sql`lock.transactionid`)}), ${snapshotXmax}) FROM ${openTransactions})`;

/**
 * SQL of a horizon (a bigint): the ID of this transaction, which it gets now at the latest. On several nodes a second from now,
 * because what others have committed until now is seen on the nodes a little later.
 */
export const currentTransaction: Sql = sql.byEngine(
  sql`pg_current_xact_id()::text::bigint`,
  microseconds(sql`(statement_timestamp() + interval '1 second')`),
);

/**
 * SQL condition: all transactions before a horizon, which was a {@link currentTransaction}, have ended. A horizon that no
 * transaction has reached is that of another server, from which the database was restored.
 */
export const isHorizonReached = (horizon: Sql): Sql =>
  sql.byEngine(
    sql`(${horizon} <= ${oldestOpenTransaction} OR ${horizon} > ${snapshotXmax})`,
    sql`(${horizon} <= (SELECT coalesce(${microseconds(sql`min(begun.began_at)`)}, ${horizonOfNone}) FROM ${begunTransactions}))`,
  );

/** SQL of a horizon after all others. */
const horizonOfNone = sql`9223372036854775807`;

/**
 * SQL of the instant (a timestamptz) at which the oldest transaction began that has written in this database, of the
 * sessions that this role may see; `infinity` if there is none.
 */
export const oldestVisibleTransactionStart: Sql = sql.byEngine(
  sql`(SELECT coalesce(min(session.xact_start), 'infinity') FROM ${openTransactions})`,
  sql`(SELECT coalesce(min(begun.began_at), 'infinity') FROM ${begunTransactions})`,
);

/** A transaction that has written and has not ended. */
export interface UnfinishedTransaction {
  /** Of the session; null for a prepared transaction. */
  readonly pid: number | null;
  /** The name of the application, or the identifier of a prepared transaction; null if this role may not see it. */
  readonly name: string | null;
  /** For how long it has been open; null if this role may not see it. */
  readonly seconds: number | null;
}

/**
 * SELECT of the {@link UnfinishedTransaction} of this database that has been open for longest, of those that this role may see.
 */
export const oldestTransaction: Sql = sql.byEngine(
  sql`
  SELECT session.pid, coalesce(nullif(session.application_name, ''), prepared.gid) AS name,
    extract(epoch FROM ${sql.realNow} - coalesce(session.xact_start, prepared.prepared))::float8 AS seconds
  FROM ${openTransactions} AND session.pid IS DISTINCT FROM pg_backend_pid()
  ORDER BY coalesce(session.xact_start, prepared.prepared) LIMIT 1`,
  sql`
  SELECT begun.pid, nullif(begun.name, '') AS name, extract(epoch FROM ${sql.realNow} - begun.began_at)::float8 AS seconds
  FROM ${begunTransactions} ORDER BY begun.began_at LIMIT 1`,
);
