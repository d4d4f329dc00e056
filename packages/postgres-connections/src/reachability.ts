import { createConnection, type Socket } from 'node:net';
import type { PoolClient } from 'pg';

/** How long a statement runs before it is checked that its server can be reached, and between two checks. */
const CHECK_INTERVAL_MS = 5_000;
/** A busy server may let a connection wait. */
const CHECK_TIMEOUT_MS = 5_000;
/** How many checks in a row have to fail. */
const MAX_FAILURES = 2;

/** What the driver has, but its types do not declare. */
type StreamingClient = PoolClient & { readonly connection: { readonly stream: Partial<Socket> } };

/**
 * Runs a statement that has no time limit. If its server vanishes meanwhile, without a word, keep-alive does not notice it while
 * data is under way, and the operating system gives up after a quarter of an hour. So other connections are opened to the same
 * address from time to time: if that fails twice, this one is closed.
 * @throws what `run` throws: an error of the driver if the connection is closed
 */
export async function whileReachable<R>(
  client: PoolClient,
  run: () => Promise<R>,
  intervalMs = CHECK_INTERVAL_MS,
): Promise<R> {
  // Not the name of the host, which may lead to another server now. A Unix socket has no address.
  const { remoteAddress: host, remotePort: port } = (client as StreamingClient).connection.stream;
  if (host === undefined || port === undefined) return run();
  let failures = 0;
  let isChecking = false;
  const check = async (): Promise<void> => {
    if (isChecking) return;
    isChecking = true;
    failures = (await isReachable(host, port)) ? 0 : failures + 1;
    isChecking = false;
    if (failures === MAX_FAILURES) await client.end();
  };
  const timer = setInterval(() => void check(), intervalMs);
  try {
    return await run();
  } finally {
    clearInterval(timer);
    // A check that has not ended must not close the connection of the next statement.
    failures = -Infinity;
  }
}

function isReachable(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host, port, timeout: CHECK_TIMEOUT_MS });
    const end = (isConnected: boolean): void => {
      socket.destroy();
      resolve(isConnected);
    };
    socket.once('connect', () => end(true));
    socket.once('timeout', () => end(false));
    socket.on('error', () => end(false));
  });
}
