import { type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { type Config } from '../platform/config/index.js';
import { setUpExpress, stopListening } from '../platform/http/index.js';
import { type Log } from '../platform/logging/index.js';
import { httpSetup } from './http-setup.js';
import { open, type OpenProcess } from './open.js';
import { setUpReference } from './reference.js';
import { ServiceModule } from './service.module.js';
import { reasonOf, StartFailed } from './start-failed.js';

/** A running service. */
export interface Running {
  readonly database_url: string;
  /** Rejects when something ends that the service cannot live without. */
  readonly lost: Promise<never>;
  /** Takes no more requests and jobs, lets those in hand finish and closes everything. */
  stop(): Promise<void>;
}

/**
 * Opens, migrates and runs the role of the configuration.
 * @throws StartFailed with one line for the operator
 */
export async function serve(config: Config, log?: Log): Promise<Running> {
  const opened = await open(config, 'server', log);
  try {
    const app = config.role === 'worker' ? await createWorker(opened) : await listen(config, opened);
    return {
      database_url: opened.database.url,
      lost: opened.database.lost,
      stop: async () => {
        if ('getHttpServer' in app) await stopListening(app as NestExpressApplication);
        await app.close();
        await opened.database.close();
      },
    };
  } catch (error) {
    await opened.database.close();
    throw error;
  }
}

/** The worker half alone, at work. */
export function createWorker(opened: OpenProcess): Promise<INestApplicationContext> {
  return NestFactory.createApplicationContext(ServiceModule.on(opened, 'worker'), {
    logger: opened.log,
    abortOnError: false,
  });
}

/** An application with the API, and the worker half in the role `all`, that does not listen yet. */
export async function createApi(config: Config, opened: OpenProcess): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(ServiceModule.on(opened, config.role), {
    logger: opened.log,
    bodyParser: false,
    abortOnError: false,
  });
  setUpExpress(app, config, httpSetup);
  setUpReference(app);
  return app;
}

async function listen(config: Config, opened: OpenProcess): Promise<NestExpressApplication> {
  const app = await createApi(config, opened);
  try {
    await app.listen(config.port, config.host);
    return app;
  } catch (error) {
    await app.close();
    throw new StartFailed(`Cannot listen on ${config.host}:${config.port}: ${reasonOf(error)}.`);
  }
}
