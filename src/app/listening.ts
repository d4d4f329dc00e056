import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Config } from '../platform/config/index.js';
import { reasonOf, StartFailed } from './start-failed.js';

type Address = Pick<Config, 'host' | 'port'>;

/**
 * Checks whether the API can listen, before the process migrates the database.
 * @throws StartFailed if it cannot
 */
export async function assertCanListen({ host, port }: Address): Promise<void> {
  const probe = createServer();
  try {
    await once(probe.listen(port, host), 'listening');
  } catch (error) {
    throw cannotListen({ host, port }, error);
  }
  await once(probe.close(), 'close');
}

/** @returns an error whose message is one line for the operator */
export function cannotListen({ host, port }: Address, error: unknown): StartFailed {
  return new StartFailed(`Cannot listen on ${host}, port ${port}: ${meaningOf(error)}.`);
}

function meaningOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'EADDRINUSE':
      return 'another process uses this port';
    case 'EACCES':
      return 'this account is not permitted to use this port';
    case 'EADDRNOTAVAIL':
      return 'this machine has no such address';
    default:
      return reasonOf(error);
  }
}
