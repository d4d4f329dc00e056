import { type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { type Config } from '../platform/config/index.js';
import { setUpExpress } from '../platform/http/index.js';
import { type Log } from '../platform/logging/index.js';
import { ApiModule } from './api.module.js';
import { httpSetup } from './http-setup.js';
import { open, type OpenProcess } from './open.js';
import { setUpReference } from './reference.js';
import { reasonOf, StartFailed } from './start-failed.js';
import { WorkerModule } from './worker.module.js';

const LONGEST_STOP_MS = 30_000;

/** A running service. */
export interface Running {
  readonly database_url: string;
  /** Rejects when something ends that the service cannot live without. */
  readonly lost: Promise<never>;
  /** Takes no more requests, lets work in hand finish and closes everything. */
  stop(): Promise<void>;
}

/**
 * Opens, migrates and runs the roles of the configuration.
 * @throws StartFailed with one line for the operator
 */
export async function serve(config: Config, log?: Log): Promise<Running> {
  const opened = await open(config, 'server', log);
  try {
    const parts = await startParts(config, opened);
    return {
      database_url: opened.database.url,
      lost: opened.database.lost,
      stop: () => stopAll(parts, opened),
    };
  } catch (error) {
    await opened.database.close();
    throw error;
  }
}

async function startParts(config: Config, opened: OpenProcess): Promise<INestApplicationContext[]> {
  const parts: INestApplicationContext[] = [];
  if (config.role !== 'api') parts.push(await startWorker(opened));
  if (config.role !== 'worker') parts.push(await startApi(config, opened));
  return parts;
}

async function startWorker(opened: OpenProcess): Promise<INestApplicationContext> {
  return NestFactory.createApplicationContext(WorkerModule.on(opened), { logger: opened.log, abortOnError: false });
}

async function startApi(config: Config, opened: OpenProcess): Promise<INestApplicationContext> {
  const app = await createApi(config, opened);
  try {
    await app.listen(config.port, config.host);
    return app;
  } catch (error) {
    await app.close();
    throw new StartFailed(`Cannot listen on ${config.host}:${config.port}: ${reasonOf(error)}.`);
  }
}

/** The API as an application that does not listen yet. */
export async function createApi(config: Config, opened: OpenProcess): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(ApiModule.on(opened), {
    logger: opened.log,
    bodyParser: false,
    abortOnError: false,
    forceCloseConnections: true,
  });
  setUpExpress(app, config, httpSetup);
  setUpReference(app);
  return app;
}

/** Stops in the order of the work: no new requests, no new jobs, then the database. */
async function stopAll(parts: readonly INestApplicationContext[], opened: OpenProcess): Promise<void> {
  const deadline = setTimeout(() => {
    opened.log.error('work in hand did not finish in time');
    opened.log.flush();
    process.exit(1);
  }, LONGEST_STOP_MS);
  for (const part of [...parts].reverse()) await part.close();
  await opened.database.close();
  clearTimeout(deadline);
}
