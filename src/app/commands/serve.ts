import { waitForStopSignal, waitForUncaughtError } from '@outreach/command-line';
import { Log } from '@outreach/logging';
import { describeDatabase } from '@outreach/postgres-connections';
import { describeRedis } from '@outreach/redis-connections';
import type { Running } from '../serve.js';
import { readConfig, type ServiceConfig } from '../settings.js';
import { ServiceLost, StartStopped } from '../start-failed.js';
import { BUILD } from '../version.js';
import { runCommand } from './run.js';

/** `outreach serve`: runs the role of this process until it gets a signal to stop, then ends the process. */
export async function serve(): Promise<never> {
  await runCommand(() => {
    const config = readConfig();
    const line = config.role === 'worker' ? 'worker running' : `listening on ${config.public_url}`;
    return runUntilStopSignal(config, () => Promise.resolve(process.stdout.write(`${line}\n`)));
  });
  process.exit();
}

/**
 * Runs the role of a process until it gets a signal to stop.
 * @param onRunning is called when it runs
 * @throws ServiceLost; StartFailed, EmbeddedPostgresFailure with one line for the operator
 */
export async function runUntilStopSignal(config: ServiceConfig, onRunning: () => Promise<unknown>): Promise<void> {
  const log = new Log(config.log_level, config.log_format);
  const stopSignal = waitForStopSignal();
  const crashed = waitForUncaughtError(log);
  const running = await Promise.race([start(config, log, stopSignal), crashed.then(endService)]);
  if (!running) return;
  try {
    log.info('started', startedFields(config));
    const stopping = stopSignal.then(() => running.prepareToStop());
    const shown = onRunning().then(() => stopping);
    await Promise.race([stopping, shown, crashed.then(endService), running.lost.then(endService)]);
  } finally {
    await running.stop();
    log.info('stopped', { uptime_seconds: Math.round(process.uptime()) });
  }
}

/** What an operator wants to know of a process, without passwords. */
const startedFields = (config: ServiceConfig): object => ({
  version: BUILD.version,
  role: config.role,
  ...(config.role !== 'worker' && { port: config.port }),
  ...(config.metrics_port !== undefined && { metrics_port: config.metrics_port }),
  database: config.database_url ? describeDatabase(config.database_url) : `embedded in ${config.data_dir}`,
  queue: config.redis_url ? describeRedis(config.redis_url) : 'PostgreSQL',
});

/**
 * Loads the service here, because that takes a second and signals have to be handled from the beginning.
 * @returns undefined if the signal to stop has ended the start
 */
async function start(config: ServiceConfig, log: Log, stopSignal: Promise<void>): Promise<Running | undefined> {
  const stopping = new AbortController();
  void stopSignal.then(() => stopping.abort(new StartStopped('The process was asked to stop.')));
  try {
    const { startRole } = await import('../serve.js');
    stopping.signal.throwIfAborted();
    return await startRole(config, log, stopping.signal);
  } catch (error) {
    // What the start waited for may have got the signal, too, e.g. the program that creates the database.
    if (error instanceof StartStopped || stopping.signal.aborted) return undefined;
    throw error;
  }
}

function endService(reason: string): never {
  throw new ServiceLost(reason);
}
