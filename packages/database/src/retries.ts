import { disableAfterLostSession } from './prepared-statements.js';
import { DatabaseUnavailable, isRetryable } from './database-errors.js';

const MAX_ATTEMPTS = 4;

/**
 * Repeats work that the database aborted in favour of another transaction, or that lost its prepared statement.
 * @throws DatabaseUnavailable after four attempts
 */
export async function withRetries<R>(work: () => Promise<R>): Promise<R> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!isRepeatable(error)) throw error;
      if (attempt === MAX_ATTEMPTS) throw new DatabaseUnavailable(error);
    }
  }
}

/**
 * Runs the later part of a transaction, which cannot be repeated by itself.
 * @throws DatabaseUnavailable after an error that {@link withRetries} would repeat the work for
 */
export async function withoutRetries<R>(work: () => Promise<R>): Promise<R> {
  try {
    return await work();
  } catch (error) {
    throw isRepeatable(error) ? new DatabaseUnavailable(error) : error;
  }
}

const isRepeatable = (error: unknown): boolean => isRetryable(error) || disableAfterLostSession(error);
