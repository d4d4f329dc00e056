/** A request does nothing else for so long in a transaction: its process is gone, or suspended. */
const MAX_IDLE_MS = 60_000;

/**
 * How long a statement runs at most, how long it waits for a lock, how long it waits for a connection of the process,
 * and how long a transaction waits for its next statement. A limit that is absent does not exist.
 */
export interface TimeLimits {
  readonly statementMs?: number | undefined;
  readonly lockMs?: number | undefined;
  readonly connectionMs?: number | undefined;
  readonly idleMs?: number | undefined;
  /** How long the server has to cancel a statement after its time, before the connection is closed. */
  readonly cancelMs?: number | undefined;
}

/**
 * @returns the limits of a request: a statement waits for a lock for half of its time at most. If the host of the process
 *   is gone, its transactions end after a minute, and with them their locks.
 */
export const requestLimits = (statementMs: number): TimeLimits => ({
  statementMs,
  lockMs: Math.ceil(statementMs / 2),
  connectionMs: statementMs,
  idleMs: MAX_IDLE_MS,
});

/** For what reads metrics and checks of health: it fails early instead of waiting with the requests. */
export const SAMPLE_LIMITS: TimeLimits = requestLimits(2_000);

/**
 * @returns the statements that begin a transaction with these limits. They are sent together, so the limits cost no round
 *   trip, and `SET LOCAL` ends with the transaction, so that a connection pooler in transaction mode can be used.
 */
export const beginWithin = (limits: TimeLimits): string[] => [
  'BEGIN',
  ...settingsOf(limits).flatMap(([name, value]) => (value === undefined ? [] : [`SET LOCAL ${name} = ${value}`])),
];

/** @returns the statement that replaces the limits of an open transaction */
export const limitFurther = (limits: TimeLimits): string =>
  settingsOf(limits)
    .map(([name, value]) => `SET LOCAL ${name} = ${value ?? 'DEFAULT'}`)
    .join('; ');

const settingsOf = ({ statementMs, lockMs, idleMs }: TimeLimits): [name: string, value: number | undefined][] => [
  ['statement_timeout', statementMs],
  ['lock_timeout', lockMs],
  ['idle_in_transaction_session_timeout', idleMs],
];
