import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DemoFailed } from './demo-failed.js';

/** A running service with an empty database. */
export interface DemoService {
  /** Resolves with the reason when something fails that the service cannot run without. */
  readonly lost: Promise<string>;
  /** Creates a workspace. @returns a token with all permissions in it */
  createToken(workspaceName: string): Promise<string>;
  /** Ends the service and its database. */
  stop(): Promise<void>;
}

/** Starts the service with settings, such as `PORT`, and with no others of the environment. */
export type StartService = (settings: Readonly<Record<string, string>>) => Promise<DemoService>;

/**
 * Creates a directory, runs `work` and removes the directory.
 * @param onStored is called instead of the removal, if it is given
 */
export async function inTemporaryDirectory<R>(
  onStored: ((directory: string) => void) | undefined,
  work: (directory: string) => Promise<R>,
): Promise<R> {
  const directory = await mkdtemp(join(tmpdir(), 'outreach-demo-'));
  try {
    // PostgreSQL does not run as root, so another account must be able to traverse the directory.
    await chmod(directory, 0o711);
    return await work(directory);
  } finally {
    if (onStored) onStored(directory);
    else await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  }
}

/**
 * Runs `work` with a service and a new workspace, on a free port. The service ignores the environment, so that the demo
 * cannot use an existing database.
 * @throws DemoFailed if the service ends before `work`
 */
export async function withService<R>(
  directory: string,
  startService: StartService,
  work: (url: string, token: string) => Promise<R>,
): Promise<R> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const service = await startService({
    PORT: String(port),
    PUBLIC_URL: url,
    DATA_DIR: directory,
    EGRESS_ALLOWED_CIDRS: '127.0.0.0/8',
    LOG_LEVEL: 'warn',
  });
  const ended = service.lost.then((reason) => {
    throw new DemoFailed(reason);
  });
  try {
    return await Promise.race([service.createToken('Demo').then((token) => work(url, token)), ended]);
  } finally {
    await service.stop();
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
