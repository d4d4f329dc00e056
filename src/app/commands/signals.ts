import { constants } from 'node:os';
import type { Log } from '../../platform/logging/index.js';

/** Within this time the same wish may arrive twice: from the terminal, and passed on by npm. */
const ECHO_MS = 200;

/** Resolves with the first SIGTERM or SIGINT. A further one ends the process at once, as if it had killed it. */
export function askedToStop(): Promise<void> {
  return new Promise((resolve) => {
    let askedAt: number | undefined;
    const onSignal = (signal: 'SIGTERM' | 'SIGINT'): void => {
      askedAt ??= performance.now();
      if (performance.now() - askedAt > ECHO_MS) process.exit(128 + constants.signals[signal]);
      resolve();
    };
    process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
  });
}

/** Logs errors that nobody caught. Resolves with the first: what the process does afterwards cannot be trusted. */
export function crash(log: Log): Promise<string> {
  return new Promise((resolve) => {
    const onError = (error: unknown): void => {
      log.error('nobody caught this error', { error });
      resolve('The service ends because of an error that nobody caught; the log has its stack.');
    };
    process.on('uncaughtException', onError).on('unhandledRejection', onError);
  });
}
