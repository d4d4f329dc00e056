import type { ServerResponse } from 'node:http';

/** How long a client may read nothing of a response that is waiting for it. */
const STALLED_AFTER_MS = 30_000;

/**
 * Closes the connection of a response if its client reads nothing for some time, because what it does not read stays in
 * memory. A response that is not written yet may take any time.
 */
export function closeIfStalled(response: ServerResponse, milliseconds = STALLED_AFTER_MS): void {
  response.setTimeout(milliseconds, () => {
    const { socket } = response;
    if (socket && socket.writableLength > 0) socket.destroy();
  });
}
