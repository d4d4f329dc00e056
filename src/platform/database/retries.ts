import { disableAfterLostSession } from './prepared-statements.js';
import { DatabaseUnavailable, isRetryable } from './violations.js';

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
      const isRepeatable = isRetryable(error) || disableAfterLostSession(error);
      if (!isRepeatable) throw error;
      if (attempt === MAX_ATTEMPTS) throw new DatabaseUnavailable(error);
    }
  }
}
