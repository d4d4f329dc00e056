import { setTimeout as pause } from 'node:timers/promises';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Log } from '@outreach/logging';
import { CountingAdapter } from '@outreach/http-api/envelope';
import { prepareToStop, setUpExpress, stopListening } from '@outreach/http-api/server';
import type { Config } from '../platform/config/index.js';
import { requestLog } from '../platform/http/requests/index.js';
import type { Opened } from './foundation.module.js';
import { assertExtensionsWork } from './extensions/assert-extensions-work.js';
import { explainFailure } from './extensions/explain-failure.js';
import { Health } from './health/health.js';
import { type MonitoringPort, openMonitoringPort } from './health/monitoring-port.js';
import { httpSetup } from './http-setup.js';
import { assertCanListen, cannotListen } from './listening.js';
import { openProcess, type OpenProcess } from './open.js';
import { setUpReference } from './reference/set-up-reference.js';
import { ServiceModule } from './service.module.js';
import type { ServiceConfig } from './settings.js';
import { assertTemporaryDirectory } from './temporary-directory.js';

/**
 * How long running requests and jobs may take to finish, after the delay of `SHUTDOWN_DELAY_SECONDS`. The database stops
 * last.
 */
const GRACE_MS = 29_000;
const MS_PER_SECOND = 1_000;

/** A running service. */
export interface Running {
  readonly database_url: string;
  /** Resolves with the reason when something fails that the service cannot run without. */
  readonly lost: Promise<string>;
  /** Makes readiness checks fail and serves requests for `SHUTDOWN_DELAY_SECONDS`, so that load balancers notice it. */
  prepareToStop(): Promise<void>;
  /** Takes no more requests and jobs, waits for the running ones (at most 29 s) and closes everything. */
  stop(): Promise<void>;
}

/**
 * Opens and migrates the database, and runs the configured role.
 * @param signal ends the start with its reason
 * @throws StartFailed, EmbeddedPostgresFailure with one line for the operator
 */
export async function startRole(config: ServiceConfig, log: Log, signal?: AbortSignal): Promise<Running> {
  await assertCanListen(config);
  if (config.role !== 'worker') await assertTemporaryDirectory();
  const opened = await openProcess(config, log, signal);
  const { url, lost } = opened.database;
  try {
    const part = config.role === 'worker' ? await work(config, opened) : await listen(config, opened);
    return { database_url: url, lost, prepareToStop: () => part.prepareToStop(), stop: () => stop(opened, part) };
  } catch (error) {
    await opened.database.close();
    throw explainFailure(error, log);
  }
}

/** @returns a running worker without the API */
export function createWorker(opened: Opened): Promise<INestApplicationContext> {
  return NestFactory.createApplicationContext(ServiceModule.on(opened, 'worker'), {
    logger: opened.log,
    abortOnError: false,
  });
}

/** @returns an application with the API, and in the role `all` with the worker, that does not listen yet */
export async function createApi(config: Config, opened: Opened): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(
    ServiceModule.on(opened, config.role),
    new CountingAdapter(),
    {
      logger: opened.log,
      bodyParser: false,
      abortOnError: false,
    },
  );
  try {
    assertExtensionsWork(app);
    setUpExpress(app, httpSetup, {
      trustedProxies: config.trust_proxy,
      requestEnded: requestLog(opened.log),
    });
    setUpReference(app, config);
  } catch (error) {
    // Its queues have connections already, whose errors would be printed when the database stops.
    await app.close();
    throw error;
  }
  return app;
}

/** How the role of a process stops. */
interface RunningRole {
  prepareToStop(): Promise<void>;
  stop(): Promise<unknown>;
}

async function work(config: Config, opened: Opened): Promise<RunningRole> {
  const app = await createWorker(opened);
  try {
    const monitoring = await openMonitoring(config, app);
    return {
      prepareToStop: async () => app.get(Health).prepareToStop(),
      stop: () => app.close().finally(() => monitoring?.close()),
    };
  } catch (error) {
    await app.close();
    throw error;
  }
}

async function openMonitoring(
  { host, metrics_port: port }: Config,
  app: INestApplicationContext,
): Promise<MonitoringPort | undefined> {
  return port === undefined ? undefined : openMonitoringPort(app, { host, port });
}

async function listen(config: Config, opened: Opened): Promise<RunningRole> {
  const app = await createApi(config, opened);
  let monitoring: MonitoringPort | undefined;
  try {
    await app.init();
    monitoring = await openMonitoring(config, app);
    await app.listen(config.port, config.host).catch((error: unknown) => {
      throw cannotListen(config, error);
    });
  } catch (error) {
    await Promise.all([app.close(), monitoring?.close()]);
    throw error;
  }
  return {
    prepareToStop: async () => {
      app.get(Health).prepareToStop();
      prepareToStop(app);
      await pause(config.shutdown_delay_seconds * MS_PER_SECOND);
    },
    // API and worker stop taking work at the same time; the application closes the database after the last handler.
    stop: () => Promise.all([stopListening(app), app.close()]).finally(() => monitoring?.close()),
  };
}

async function stop({ database, log }: OpenProcess, role: RunningRole): Promise<void> {
  const done = new AbortController();
  const timeout = pause(GRACE_MS, 'late' as const, { signal: done.signal });
  try {
    // If the database is lost, there is nothing to wait for.
    const end = await Promise.race([role.stop(), timeout, database.lost]);
    if (end === 'late') {
      log.warn('stopped before all requests and jobs were finished', { after_ms: GRACE_MS });
      // What still runs fails when the database stops.
      log.close();
    }
  } finally {
    done.abort();
    await database.abandon();
  }
}
