import { closeSync } from 'node:fs';
import { constants } from 'node:os';

/** Within this time the same signal may arrive twice: from the terminal, and again through npm. */
const ECHO_MS = 200;

/** SIGHUP: the terminal was closed. */
const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
type StopSignal = (typeof STOP_SIGNALS)[number];

/** What a write to a terminal that was closed, or to a pipe that nobody reads, fails with. */
const CLOSED_OUTPUT = ['EIO', 'EPIPE'];

/** A command was asked to stop before its end. */
export class CommandStopped extends Error {
  readonly exit_code: number;

  constructor(signal: StopSignal) {
    super(`Stopped by ${signal}.`);
    this.exit_code = exitCodeOf(signal);
  }
}

/**
 * Resolves at the first SIGTERM, SIGINT or SIGHUP. Another SIGTERM or SIGINT ends the process immediately, with the exit
 * code of that signal. A terminal that is closed may send SIGHUP several times.
 */
export function waitForStopSignal(): Promise<void> {
  return new Promise((resolve) => onStopSignal(() => resolve()));
}

/**
 * Runs work that is to end in order at a signal to stop, because it may run a PostgreSQL that would stay behind.
 * @param work gets a signal that is aborted with CommandStopped
 */
export async function untilStopSignal<R>(work: (signal: AbortSignal) => Promise<R>): Promise<R> {
  const stopping = new AbortController();
  const release = onStopSignal((signal) => stopping.abort(new CommandStopped(signal)));
  try {
    return await work(stopping.signal);
  } finally {
    release();
  }
}

/** @returns a promise that is rejected with the reason of the signal, and never resolved */
export function rejectAfter(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const onAbort = (): void => reject(signal.reason as Error);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
}

/** Where uncaught errors are logged. */
interface ErrorLog {
  error(message: string, fields: object): void;
}

/** Logs uncaught errors. Resolves at the first one, after which the state of the process is unknown. */
export function waitForUncaughtError(log: ErrorLog): Promise<string> {
  return new Promise((resolve) => {
    const onError = (error: unknown): void => {
      log.error('uncaught error', { error });
      resolve('The service stops because of an uncaught error, which the log has.');
    };
    process.on('uncaughtException', onError).on('unhandledRejection', onError);
  });
}

/** What is written after the terminal was closed is lost; the process goes on and ends in order. */
export function ignoreClosedOutput(): void {
  for (const stream of [process.stdout, process.stderr]) {
    if (stream.listenerCount('error') > 0) continue;
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (!CLOSED_OUTPUT.includes(error.code ?? '')) throw error;
    });
  }
}

/** @returns a function that removes the handlers */
function onStopSignal(handle: (signal: StopSignal) => void): () => void {
  let firstSignalAt: number | undefined;
  const onSignal = (signal: StopSignal): void => {
    firstSignalAt ??= performance.now();
    if (signal === 'SIGHUP') process.once('exit', closeTerminal);
    const isRepeated = performance.now() - firstSignalAt > ECHO_MS;
    if (isRepeated && signal !== 'SIGHUP') process.exit(exitCodeOf(signal));
    handle(signal);
  };
  for (const signal of STOP_SIGNALS) process.on(signal, onSignal);
  return () => {
    for (const signal of STOP_SIGNALS) process.off(signal, onSignal);
  };
}

/** At its end Node 20 restores the mode of the terminal, and aborts if that is gone (nodejs/node, pull request 58200). */
function closeTerminal(): void {
  for (const fd of [0, 1, 2]) {
    try {
      closeSync(fd);
    } catch {
      // It was closed before.
    }
  }
}

const exitCodeOf = (signal: StopSignal): number => 128 + constants.signals[signal];
