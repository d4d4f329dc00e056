import { DatabaseError } from 'pg';

/** A statement exceeded its time limit. */
export class StatementTimedOut extends Error {
  constructor() {
    super('The statement exceeded its timeout.');
  }
}

/**
 * The database could not run a statement for a reason other than the statement: there is no connection, the connection
 * was lost, or another transaction has a lock. If a commit was interrupted, its changes may be stored.
 */
export class DatabaseUnavailable extends Error {
  constructor(cause: unknown) {
    super(`The database is not available: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/** One of several nodes is away: what lies on the others can be read and written. */
export class NodeUnavailable extends DatabaseUnavailable {}

/** The errors that are declared for the names of constraints and for codes of PostgreSQL. */
const declared = new Map<string, () => Error>();

/** Declares the error that a statement throws when it violates the named constraint. */
export function onConstraint(name: string, error: () => Error): void {
  declared.set(name, error);
}

/** Declares the error that a statement throws instead of one of PostgreSQL with this code. */
export function onErrorCode(code: string, error: () => Error): void {
  declared.set(code, error);
}

/** A node names the constraint of a shard, which is that of the table and a number, and only in the words of the message. */
const ON_SHARD = /\b([a-z_][a-z0-9_]*)_\d{6,}\b/g;
function constraintOf({ constraint, code, message }: DatabaseError): string | undefined {
  if (constraint !== undefined || !code?.startsWith('23')) return constraint;
  return [...message.matchAll(ON_SHARD)].map(([, name]) => name).find((name) => name && declared.has(name));
}

/** What a node says of a row that is copied to it, and the code that the coordinator forgets (XX000 in its place). */
const FORGOTTEN_CODES: readonly (readonly [words: RegExp, code: string])[] = [
  [/violates foreign key constraint/, '23503'],
  [/violates unique constraint/, '23505'],
  [/violates check constraint/, '23514'],
  [/^deadlock detected/, '40P01'],
  [/due to lock timeout/, '55P03'],
  [/due to statement timeout/, '57014'],
];

function restoreCode(error: DatabaseError): void {
  if (error.code !== 'XX000') return;
  error.code = FORGOTTEN_CODES.find(([words]) => words.test(error.message))?.[1] ?? error.code;
}

/** @returns the declared error for an error of the driver; the error itself if there is none */
export function translateError(error: unknown): unknown {
  if (isConnectionLost(error)) return new DatabaseUnavailable(error);
  if (!(error instanceof DatabaseError)) return error;
  restoreCode(error);
  if (isNodeAway(error)) return new NodeUnavailable(error);
  const own = declared.get(constraintOf(error) ?? '') ?? declared.get(error.code ?? '');
  if (own) return own();
  if (error.code === CANCELLED) {
    return LOCK_WAIT.test(error.where ?? '') ? new DatabaseUnavailable(error) : new StatementTimedOut();
  }
  return UNAVAILABLE.test(error.code ?? '') || isStorageError(error) ? new DatabaseUnavailable(error) : error;
}

/** Whether the transaction may succeed if it runs again: after a deadlock or a serialization failure. */
export const isRetryable = (error: unknown): boolean =>
  error instanceof DatabaseError && (error.code === '40P01' || error.code === '40001');

/** Whether a statement failed because it waited for a lock longer than its transaction allows. */
export const isLockTimeout = (error: unknown): boolean =>
  error instanceof DatabaseUnavailable && error.cause instanceof DatabaseError && error.cause.code === LOCK_TIMEOUT;
const LOCK_TIMEOUT = '55P03';

/**
 * Whether the server only reads. After a failover a connection may still lead to the old primary: it must not be used again, so
 * that the next one leads to the new one.
 */
export const isReadOnlyServer = (error: unknown): error is DatabaseError =>
  error instanceof DatabaseError && error.code === '25006';

/** Whether a statement exceeded its time limit, also while it waited for a lock. */
export const isStatementTimeout = (error: unknown): boolean =>
  error instanceof StatementTimedOut ||
  (error instanceof DatabaseUnavailable && error.cause instanceof DatabaseError && error.cause.code === CANCELLED);
const CANCELLED = '57014';

/**
 * Connection exceptions, resources that are used up (connections, memory, disk), errors of the disk, shutdown and start of the
 * server, a lock that another transaction has, a server that only reads, such as a standby after a failover, and a transaction
 * that was idle for too long.
 */
const UNAVAILABLE = /^(08...|53...|57P0.|58000|58030|55P03|25006|25P03)$/;

/**
 * Whether the server could not read or write the file of a table, e.g. because of a quota of the file system or because
 * that can only be read. Most of these errors have a code that says nothing (XX000).
 */
const isStorageError = ({ file, code }: DatabaseError): boolean => file === 'md.c' && code !== DATA_CORRUPTED;
const DATA_CORRUPTED = 'XX001';

/** Where the coordinator of several nodes (Citus) reports what has become of its connections to them. */
const NODE_FILES = /^(remote_commands|remote_transaction|placement_connection)\.c$/;
/** Only a coordinator reports that it could not connect. A server reports what it refuses, and why it ends. */
const NOT_CONNECTED = /^0800[0136]$/;
const ENDED = /^(53...|57P0.)$/;
/** What the coordinator finds at a commit, and what a broken connection says by itself, has a code that says nothing (XX000). */
const AT_COMMIT = /^(failure on connection marked as essential|could not commit transaction for shard)/;
const BROKEN =
  /^(server closed the connection|could not (receive|send) data|connection not open|no connection to the server|SSL )/;

function isNodeAway({ file, code = '', message }: DatabaseError): boolean {
  if (NOT_CONNECTED.test(code)) return true;
  return (
    NODE_FILES.test(file ?? '') &&
    (ENDED.test(code) || (code === 'XX000' && (AT_COMMIT.test(message) || BROKEN.test(message))))
  );
}

/**
 * Where a statement was cancelled that waited for a row of another transaction. It may have waited for several locks one
 * after the other, each shorter than `lock_timeout`.
 */
const LOCK_WAIT = /^while (updating|deleting|locking|inserting|checking|rechecking) .*tuple/;

/** The errors of the driver have no code. */
const LOST = /^(Connection terminated|Client (has encountered a connection error|was closed))/;

/** Whether the driver or the operating system reports that the connection has ended. */
const isConnectionLost = (error: unknown): boolean =>
  error instanceof Error && !(error instanceof DatabaseError) && ('syscall' in error || LOST.test(error.message));
