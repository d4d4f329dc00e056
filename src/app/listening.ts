import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Config } from '../platform/config/index.js';
import { reasonOf, StartFailed } from './start-failed.js';

type Address = Pick<Config, 'host' | 'port'>;

/**
 * Asks early whether the API will be able to listen: a process that cannot must not have touched the database first.
 * @throws StartFailed
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

/** The line for the operator. */
export function cannotListen({ host, port }: Address, error: unknown): StartFailed {
  return new StartFailed(`Cannot listen on ${host}, port ${port}: ${meaningOf(error)}.`);
}

function meaningOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'EADDRINUSE':
      return 'another process listens there';
    case 'EACCES':
      return 'this account is not allowed to';
    case 'EADDRNOTAVAIL':
      return 'this machine has no such address';
    default:
      return reasonOf(error);
  }
}
