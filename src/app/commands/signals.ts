import { constants } from 'node:os';
import type { Log } from '../../platform/logging/index.js';

/** Within this time the same signal may arrive twice: from the terminal, and again through npm. */
const ECHO_MS = 200;

/**
 * Resolves at the first SIGTERM or SIGINT. Another one ends the process immediately, with the exit code of that signal.
 */
export function waitForStopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let firstSignalAt: number | undefined;
    const onSignal = (signal: 'SIGTERM' | 'SIGINT'): void => {
      firstSignalAt ??= performance.now();
      if (performance.now() - firstSignalAt > ECHO_MS) process.exit(128 + constants.signals[signal]);
      resolve();
    };
    process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
  });
}

/** Logs uncaught errors. Resolves at the first one, after which the state of the process is unknown. */
export function waitForUncaughtError(log: Log): Promise<string> {
  return new Promise((resolve) => {
    const onError = (error: unknown): void => {
      log.error('uncaught error', { error });
      resolve('The service stops because of an uncaught error; the log has its stack.');
    };
    process.on('uncaughtException', onError).on('unhandledRejection', onError);
  });
}
