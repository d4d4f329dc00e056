import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openMigrated } from '../app/open-database.js';
import { startRole } from '../app/serve.js';
import { loadConfig } from '../app/settings.js';
import { waitForUncaughtError } from '../app/commands/signals.js';
import type { Config } from '../platform/config/index.js';
import { Database } from '../platform/database/index.js';
import { Log } from '../platform/logging/index.js';
import { issueToken, PERMISSIONS, Workspaces } from '../workspaces/index.js';
import { DemoFailed } from './demo-failed.js';

/** Creates a directory, runs `work` and removes the directory. */
export async function inTemporaryDirectory<R>(work: (directory: string) => Promise<R>): Promise<R> {
  const directory = await mkdtemp(join(tmpdir(), 'outreach-demo-'));
  try {
    // PostgreSQL does not run as root, so another account must be able to traverse the directory.
    await chmod(directory, 0o711);
    return await work(directory);
  } finally {
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  }
}

/**
 * Runs `work` with a service and a new workspace, on a free port. The service ignores the environment, so that the demo
 * cannot use an existing database.
 * @throws DemoFailed if the service ends before `work`
 */
export async function withService<R>(directory: string, work: (url: string, token: string) => Promise<R>): Promise<R> {
  const port = await freePort();
  const config = loadConfig({
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    DATA_DIR: directory,
    EGRESS_ALLOWED_CIDRS: '127.0.0.0/8',
    LOG_LEVEL: 'warn',
  });
  const log = new Log(config.log_level, config.log_format);
  const service = await startRole(config, log);
  const ended = Promise.race([service.lost, waitForUncaughtError(log)]).then((reason) => {
    throw new DemoFailed(reason);
  });
  try {
    return await Promise.race([work(config.public_url, await newToken(config)), ended]);
  } finally {
    await service.stop();
  }
}

/** Creates a workspace and a token, like `outreach workspace create` and `outreach token create`. */
async function newToken(config: Config): Promise<string> {
  const opened = await openMigrated(config, { as: 'command' });
  try {
    const workspaces = new Workspaces(new Database(opened.source));
    const workspace = await workspaces.create('Demo');
    const scope = await workspaces.scope(workspace.id);
    return (await issueToken(scope, { name: 'demo', permissions: PERMISSIONS })).token;
  } finally {
    await opened.close();
  }
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await once(probe.listen(0, '127.0.0.1'), 'listening');
  const address = probe.address();
  await once(probe.close(), 'close');
  if (address === null || typeof address === 'string') throw new DemoFailed('There is no free port.');
  return address.port;
}
