import type { AddressInfo } from 'node:net';
import type { INestApplicationContext } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import passport from 'passport';
import { DataSource } from 'typeorm';
import { Log } from '@outreach/logging';
import type { Permission } from '@outreach/http-api/routes';
import { stopListening } from '@outreach/http-api/server';
import { dataSourceOptions } from '../../ormconfig.js';
import type { Opened } from '../../src/app/foundation.module.js';
import { createApi, createWorker } from '../../src/app/serve.js';
import { loadConfig, type ServiceConfig } from '../../src/app/settings.js';

import { issueToken, PERMISSIONS, Workspaces } from '../../src/workspaces/index.js';
import { BearerStrategy } from '../../src/workspaces/token.guard.js';
import { ApiClient } from './api-client.js';
import { BlockingTransaction } from './blocking-transaction.js';
import { MovableClocks } from './movable-clocks.js';
import { createTestDatabase, type TestDatabase } from './test-database.js';
import { emptySharedRedis, redisSettings } from './test-redis.js';

/** A service that runs in the test's process, with a separate database. */
export interface TestService {
  readonly url: string;
  readonly database: TestDatabase;
  readonly app: NestExpressApplication;
  readonly config: ServiceConfig;
  /** The clocks of its workspaces, also in its workers in this process. */
  readonly clocks: MovableClocks;
  /** Creates a workspace and returns a client with all permissions, or with those of the argument. */
  client(permissions?: readonly Permission[]): Promise<ApiClient>;
  /** Like {@link client}, of a sandbox. */
  sandbox(permissions?: readonly Permission[]): Promise<ApiClient>;
  /** Starts a worker in this process. `stop` stops it, too. */
  startWorker(): Promise<INestApplicationContext>;
  stop(): Promise<void>;
}

type Settings = Record<string, string>;

const settings = (database: TestDatabase, env: Record<string, string>) => ({
  DATABASE_URL: database.url,
  ENCRYPTION_KEY: 'a key that only tests use',
  EGRESS_ALLOWED_CIDRS: '127.0.0.0/8',
  // Nothing listens there: no test asks the name servers of its machine.
  DNS_SERVERS: '127.0.0.1:1',
  LOG_LEVEL: 'error',
  RATE_LIMIT_PER_MINUTE: '1000000',
  // No request ends because it waited long for a lock of another, however slow the machine is: the maximum of the setting.
  STATEMENT_TIMEOUT_SECONDS: '3600',
  ROLE: 'api',
  ...redisSettings(database),
  ...env,
});

/**
 * Starts the API on a free port of loopback.
 * @param env overrides settings
 * @param shared the database of another service
 */
export async function startService(env: Record<string, string> = {}, shared?: TestDatabase): Promise<TestService> {
  if (!shared) await emptySharedRedis();
  const database = shared ?? (await createTestDatabase());
  const config = { ...loadConfig(settings(database, env)), public_url: env.PUBLIC_URL ?? 'http://outreach.test' };
  const workers: INestApplicationContext[] = [];
  const clocks = new MovableClocks();
  const open = async (): Promise<Opened> => ({ ...(await openFor(config, database)), clocks });
  const app = await createApi(config, await open());
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    database,
    app,
    config,
    clocks,
    client: (permissions = PERMISSIONS) => clientOfNewWorkspace(app, url, permissions),
    sandbox: (permissions = PERMISSIONS) => clientOfNewWorkspace(app, url, permissions, true),
    startWorker: async () => {
      const worker = await createWorker(await open());
      workers.push(worker);
      return worker;
    },
    stop: async () => {
      await BlockingTransaction.endAll();
      // As a process does: Nest alone waits a minute for a connection without a request, which clients open in advance.
      await Promise.all([stopListening(app), app.close()]);
      for (const part of workers) await part.close();
      if (!shared) await database.drop();
    },
  };
}

/**
 * Starts a service with a database of its own before the tests of a file or of a `describe`, and stops it after them. For specs
 * with settings, workers or statements over all workspaces; others use {@link useSharedService}.
 * @param env overrides settings; a function may start what they refer to
 * @returns the service, which hooks and tests can use
 */
export function useService(env: Settings | (() => Promise<Settings>) = {}): TestService {
  let started: TestService | undefined;
  beforeAll(async () => {
    started = await startService(typeof env === 'function' ? await env() : env);
  });
  afterAll(() => started?.stop());
  return whenStarted(() => started);
}

/** The service of this process. It ends with the process, and its database with the run. */
let shared: Promise<TestService> | undefined;

/**
 * Starts one service for all specs of a process that use it. Their workspaces keep them apart: a spec changes nothing that
 * belongs to all workspaces, and no worker works there.
 * @returns the service, which hooks and tests can use
 */
export function useSharedService(): TestService {
  let started: TestService | undefined;
  beforeAll(async () => {
    shared ??= startService();
    started = await shared;
    // Passport has one strategy for a process: that of the service that was created last, which may have stopped.
    passport.use(started.app.get(BearerStrategy));
  });
  return whenStarted(() => started, true);
}

/** What jest-worker sends to a process that has no more tests: `CHILD_MESSAGE_END` of its `types`. */
const NO_MORE_TESTS = 2;
// Jest would wait for the shared service, and then report a leak.
process.on('message', (message) => {
  if (Array.isArray(message) && message[0] === NO_MORE_TESTS) process.exit();
});

declare global {
  /** What the end of the run calls if the specs have run in its process. */
  var stopSharedService: (() => Promise<void>) | undefined;
}
globalThis.stopSharedService = async () => (await shared)?.stop();

/** A service whose parts can be read once it is started. */
function whenStarted(service: () => TestService | undefined, isShared = false): TestService {
  const running = (): TestService => {
    const started = service();
    if (!started) throw new Error('The service starts in beforeAll: use it in hooks and tests only.');
    return started;
  };
  const own = (): TestService => {
    if (isShared) throw new Error('Other specs use this service, too: useService() starts one of its own.');
    return running();
  };
  return {
    get url() {
      return running().url;
    },
    get database() {
      return running().database;
    },
    get app() {
      return running().app;
    },
    get config() {
      return running().config;
    },
    get clocks() {
      return running().clocks;
    },
    client: (permissions) => running().client(permissions),
    sandbox: (permissions) => running().sandbox(permissions),
    startWorker: () => own().startWorker(),
    stop: () => own().stop(),
  };
}

async function openFor(config: ServiceConfig, database: TestDatabase): Promise<Opened> {
  const source = await new DataSource(dataSourceOptions(database.url, 8)).initialize();
  return {
    config,
    source,
    queue_database_url: config.queue_database_url ?? database.url,
    keys: config.encryption_key ?? [],
    log: new Log(config.log_level),
  };
}

async function clientOfNewWorkspace(
  app: NestExpressApplication,
  url: string,
  permissions: readonly Permission[],
  isSandbox = false,
): Promise<ApiClient> {
  const workspaces = app.get(Workspaces);
  const workspace = await workspaces.create('Test', isSandbox);
  const scope = await workspaces.scope(workspace.id);
  const { token } = await issueToken(scope, { name: 'test', permissions });
  return new ApiClient(url, token, workspace.id);
}
