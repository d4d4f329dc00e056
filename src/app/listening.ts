import { once } from 'node:events';
import { createServer } from 'node:net';
import { reasonOf } from '@outreach/command-line';
import type { Config } from '../platform/config/index.js';
import { StartFailed } from './start-failed.js';

/** Where a process listens. */
export type ListenAddress = Pick<Config, 'host' | 'port'>;

/** @returns the addresses of the API and of the metrics, as far as this process has them */
export const addressesOf = ({ host, port, metrics_port: metricsPort, role }: Config): ListenAddress[] => [
  ...(role === 'worker' ? [] : [{ host, port }]),
  ...(metricsPort === undefined ? [] : [{ host, port: metricsPort }]),
];

/**
 * Checks whether the process can listen, before it migrates the database.
 * @throws StartFailed if it cannot
 */
export async function assertCanListen(config: Config): Promise<void> {
  for (const address of addressesOf(config)) await assertFree(address);
}

async function assertFree({ host, port }: ListenAddress): Promise<void> {
  const probe = createServer();
  try {
    await once(probe.listen(port, host), 'listening');
  } catch (error) {
    throw cannotListen({ host, port }, error);
  }
  await once(probe.close(), 'close');
}

/** @returns an error whose message is one line for the operator */
export function cannotListen({ host, port }: ListenAddress, error: unknown): StartFailed {
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
