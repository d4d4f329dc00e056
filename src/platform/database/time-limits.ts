/**
 * How long a statement runs at most, how long it waits for a lock, and how long it waits for a connection of the
 * process. A limit that is absent does not exist.
 */
export interface TimeLimits {
  readonly statementMs?: number | undefined;
  readonly lockMs?: number | undefined;
  readonly connectionMs?: number | undefined;
}

/** @returns the limits of a request: a statement waits for a lock for half of its time at most */
export const requestLimits = (statementMs: number): TimeLimits => ({
  statementMs,
  lockMs: Math.ceil(statementMs / 2),
  connectionMs: statementMs,
});

/**
 * @returns the statement that begins a transaction with these limits. It is one message, so the limits cost no round
 *   trip, and `SET LOCAL` ends with the transaction, so that a connection pooler in transaction mode can be used.
 */
export const beginWithin = ({ statementMs, lockMs }: TimeLimits): string =>
  [
    'BEGIN',
    ...(statementMs === undefined ? [] : [`SET LOCAL statement_timeout = ${statementMs}`]),
    ...(lockMs === undefined ? [] : [`SET LOCAL lock_timeout = ${lockMs}`]),
  ].join('; ');

/** @returns the statement that replaces the limits of an open transaction */
export const limitFurther = ({ statementMs, lockMs }: TimeLimits): string =>
  `SET LOCAL statement_timeout = ${statementMs ?? 'DEFAULT'}; SET LOCAL lock_timeout = ${lockMs ?? 'DEFAULT'}`;
