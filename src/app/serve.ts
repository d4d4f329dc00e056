import { setTimeout as pause } from 'node:timers/promises';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Config } from '../platform/config/index.js';
import { setUpExpress, stopListening } from '../platform/http/index.js';
import type { Log } from '../platform/logging/index.js';
import type { Opened } from './foundation.module.js';
import { httpSetup } from './http-setup.js';
import { assertCanListen, cannotListen } from './listening.js';
import { openProcess, type OpenProcess } from './open.js';
import { setUpReference } from './reference.js';
import { ServiceModule } from './service.module.js';
import type { ServiceConfig } from './settings.js';

/**
 * How long running requests and jobs may take to finish. Orchestrators usually kill after 30 s, and the database stops
 * last.
 */
const GRACE_MS = 29_000;

/** A running service. */
export interface Running {
  readonly database_url: string;
  /** Resolves with the reason when something fails that the service cannot run without. */
  readonly lost: Promise<string>;
  /** Takes no more requests and jobs, waits for the running ones (at most 29 s) and closes everything. */
  stop(): Promise<void>;
}

/**
 * Opens and migrates the database, and runs the configured role.
 * @throws StartFailed, EmbeddedPostgresFailure with one line for the operator
 */
export async function startRole(config: ServiceConfig, log: Log): Promise<Running> {
  if (config.role !== 'worker') await assertCanListen(config);
  const opened = await openProcess(config, log);
  const { url, lost } = opened.database;
  try {
    const stopWork = config.role === 'worker' ? await work(opened) : await listen(config, opened);
    return { database_url: url, lost, stop: () => stop(opened, stopWork) };
  } catch (error) {
    await opened.database.close();
    throw error;
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
  const app = await NestFactory.create<NestExpressApplication>(ServiceModule.on(opened, config.role), {
    logger: opened.log,
    bodyParser: false,
    abortOnError: false,
  });
  setUpExpress(app, config, httpSetup);
  setUpReference(app, config);
  return app;
}

type StopWork = () => Promise<unknown>;

async function work(opened: Opened): Promise<StopWork> {
  const app = await createWorker(opened);
  return () => app.close();
}

async function listen(config: Config, opened: Opened): Promise<StopWork> {
  const app = await createApi(config, opened);
  try {
    await app.init();
    await app.listen(config.port, config.host).catch((error: unknown) => {
      throw cannotListen(config, error);
    });
  } catch (error) {
    await app.close();
    throw error;
  }
  // API and worker stop taking work at the same time; the application closes the database after the last response.
  return () => Promise.all([stopListening(app), app.close()]);
}

async function stop({ database, log }: OpenProcess, stopWork: StopWork): Promise<void> {
  const done = new AbortController();
  const timeout = pause(GRACE_MS, 'late' as const, { signal: done.signal });
  try {
    // If the database is lost, there is nothing to wait for.
    const end = await Promise.race([stopWork(), timeout, database.lost]);
    if (end === 'late') log.warn('stopped before all requests and jobs were finished', { after_ms: GRACE_MS });
  } finally {
    done.abort();
    await database.abandon();
  }
}
