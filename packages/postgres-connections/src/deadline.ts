import { type ClientConfig, Connection, type PoolClient } from 'pg';
import { whileReachable } from './reachability.js';

/** How long a statement may run on after its deadline, while the server is asked to cancel it, unless something else is said. */
const CANCEL_MS = 5_000;

/** What the driver has, but its types do not declare. */
type CancellableClient = Pick<ClientConfig, 'ssl'> & {
  readonly host: string;
  readonly port: number;
  readonly processID: number;
  readonly secretKey: number;
};
type CancelConnection = Connection & {
  connect(portOrPath: number | string, host?: string): void;
  requestSsl(): void;
  cancel(processID: number, secretKey: number): void;
};

/** What ends a statement before its result. */
export interface StatementEnd {
  /** The time to the deadline. */
  readonly milliseconds?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** How long the server has to cancel it, before its connection is closed; five seconds if it is absent. */
  readonly cancelMs?: number | undefined;
}

/**
 * Runs one statement. After its deadline, or when the signal is aborted, the server is asked to cancel it, by a
 * CancelRequest: a message on another connection that needs no session. If that has no effect within `cancelMs`, the
 * connection is closed. Without a deadline it is closed if the server has vanished.
 * @throws what `run` throws: for a cancelled statement an error of the server with the code 57014, for one whose
 *   connection is closed an error of the driver
 */
export async function withDeadline<R>(
  client: PoolClient,
  { milliseconds, signal, cancelMs = CANCEL_MS }: StatementEnd,
  run: () => Promise<R>,
): Promise<R> {
  const runLimited = milliseconds === undefined ? () => whileReachable(client, run) : run;
  if (milliseconds === undefined && !signal) return runLimited();
  let cancelling: Promise<boolean> | undefined;
  let closing: NodeJS.Timeout | undefined;
  const cancel = (): void => {
    cancelling ??= sendCancelRequest(client as unknown as CancellableClient, cancelMs);
    closing ??= setTimeout(() => close(client), cancelMs);
  };
  const deadline = milliseconds === undefined ? undefined : setTimeout(cancel, milliseconds);
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    return await runLimited();
  } finally {
    clearTimeout(deadline);
    signal?.removeEventListener('abort', cancel);
    // A request that is still on its way would cancel the next statement.
    if (cancelling && !(await cancelling)) close(client);
    clearTimeout(closing);
  }
}

/** Ends the connection: its statement fails, and the pool removes it. */
function close(client: PoolClient): void {
  void client.end();
}

/**
 * Sends a CancelRequest, and waits until the server has closed the connection. It has then sent its signal to the
 * session, which ignores it if no statement is running. With TLS it is encrypted, because it contains a secret.
 * @returns false if it is not certain that the request has been processed
 */
function sendCancelRequest(
  { host, port, ssl, processID, secretKey }: CancellableClient,
  milliseconds: number,
): Promise<boolean> {
  const connection = new Connection({ ssl }) as CancelConnection;
  return new Promise((resolve) => {
    let isProcessed = false;
    const abort = (): void => {
      isProcessed = false;
      connection.stream.destroy();
    };
    const timer = setTimeout(abort, milliseconds);
    const send = (): void => {
      isProcessed = true;
      connection.cancel(processID, secretKey);
    };
    connection.once('connect', () => (ssl ? connection.requestSsl() : send()));
    connection.once('sslconnect', send);
    connection.on('error', abort);
    connection.once('end', () => {
      clearTimeout(timer);
      resolve(isProcessed);
    });
    if (host.startsWith('/')) connection.connect(`${host}/.s.PGSQL.${port}`);
    else connection.connect(port, host);
  });
}
