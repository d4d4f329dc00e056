import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ClientBase } from 'pg';

/**
 * Adds a listener for errors of a connection. If it ends, its current or next statement fails; it must not end the process
 * as well, as an `error` event without a listener does.
 */
export const ignoreConnectionErrors = (client: ClientBase): void => void client.on('error', () => undefined);

/**
 * The `onConnect` option of each pool: {@link ignoreConnectionErrors}, and an error if the connection has ended already. When
 * PostgreSQL stops or a session is terminated, the last bytes of the login and the end may arrive together, before the
 * code that takes the connection can listen for errors.
 */
export const checkNewConnection = (client: ClientBase): unknown => rejectEnded(client);

/** The pool waits for this promise, although the type of its option does not say so. */
async function rejectEnded(client: ClientBase): Promise<void> {
  ignoreConnectionErrors(client);
  const errors: Error[] = [];
  const onError = (error: Error): void => void errors.push(error);
  client.on('error', onError);
  await nextTurn();
  client.off('error', onError);
  const [error] = errors;
  if (error) throw error;
}
