/** The host is, or also is, at an address that is not public. The message names the host, never the address. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';

  constructor(host: string) {
    super(`The host ${host} is not public`);
  }
}

/** The text is no host name, or no address was found for it in time. */
export class HostUnresolvable extends Error {
  override readonly name = 'HostUnresolvable';
}

/** The host is public, but no address of it took the connection in time. The cause is the last address's error. */
export class HostUnreachable extends Error {
  override readonly name = 'HostUnreachable';

  constructor(host: string, port: number, cause: unknown) {
    super(`No connection to ${host} on port ${port}: ${reason(cause)}`, { cause });
  }
}

const reasons: Readonly<Record<string, string>> = {
  ABORT_ERR: 'no answer in time',
  ETIMEDOUT: 'no answer in time',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  EHOSTUNREACH: 'there is no route to it',
  ENETUNREACH: 'there is no route to it',
};

/** In our words, because Node's own message carries the address. */
function reason(cause: unknown): string {
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : '';
  return reasons[code] ?? 'the connection failed';
}
