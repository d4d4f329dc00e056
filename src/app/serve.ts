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
import { open, type OpenProcess } from './open.js';
import { setUpReference } from './reference.js';
import { ServiceModule } from './service.module.js';
import type { ServiceConfig } from './settings.js';

/** How long work in hand may take to finish. Orchestrators tend to kill after 30 s, and the database ends last. */
const GRACE_MS = 29_000;

/** A running service. */
export interface Running {
  readonly database_url: string;
  /** Resolves, with the reason, when something ends that the service cannot live without. */
  readonly lost: Promise<string>;
  /** Takes no more requests and jobs, lets those in hand finish (for 29 s at most) and closes everything. */
  stop(): Promise<void>;
}

/**
 * Opens, migrates and runs the role of the configuration.
 * @throws StartFailed, EmbeddedPostgresFailure with one line for the operator
 */
export async function serve(config: ServiceConfig, log: Log): Promise<Running> {
  if (config.role !== 'worker') await assertCanListen(config);
  const opened = await open(config, log);
  const { url, lost } = opened.database;
  try {
    const stopWork = config.role === 'worker' ? await work(opened) : await listen(config, opened);
    return { database_url: url, lost, stop: () => stop(opened, stopWork) };
  } catch (error) {
    await opened.database.close();
    throw error;
  }
}

/** The worker half alone, at work. */
export function createWorker(opened: Opened): Promise<INestApplicationContext> {
  return NestFactory.createApplicationContext(ServiceModule.on(opened, 'worker'), {
    logger: opened.log,
    abortOnError: false,
  });
}

/** An application with the API, and the worker half in the role `all`, that does not listen yet. */
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
  // Both halves stop taking work at the same moment; the application closes the database when all answers are out.
  return () => Promise.all([stopListening(app), app.close()]);
}

async function stop({ database, log }: OpenProcess, stopWork: StopWork): Promise<void> {
  const done = new AbortController();
  const timeout = pause(GRACE_MS, 'late' as const, { signal: done.signal });
  try {
    // Without its database the work cannot finish.
    const end = await Promise.race([stopWork(), timeout, database.lost]);
    if (end === 'late') log.warn('work in hand was cut off', { after_ms: GRACE_MS });
  } finally {
    done.abort();
    await database.abandon();
  }
}
