/** At least one address of the host is not public. The message contains the host, never an address. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';

  constructor(host: string) {
    super(`The host ${host} is not public`);
  }
}

/** The text is not a host name, or no address was found for it in time. */
export class HostUnresolvable extends Error {
  override readonly name = 'HostUnresolvable';
}

/** No address of the host accepted the connection in time. The cause is the error of the last address. */
export class HostUnreachable extends Error {
  override readonly name = 'HostUnreachable';

  constructor(host: string, port: number, cause: unknown) {
    super(`No connection to ${host} on port ${port}: ${reason(cause)}`, { cause });
  }
}

/** The connection is open but not secure: no TLS, or no valid certificate for the host. */
export class HostUnverified extends Error {
  override readonly name = 'HostUnverified';

  constructor(host: string, port: number, cause: unknown) {
    const problem = certificateProblem(codeOf(cause));
    const message = problem
      ? `The certificate of ${host} is not valid: ${problem}`
      : `No TLS connection to ${host} on port ${port}: ${reason(cause, 'the host does not support TLS, or none of our versions of it')}`;
    super(message, { cause });
  }
}

/** No connection to a configured host could be opened and encrypted: nothing of the request was sent. */
export class ConnectionFailed extends Error {
  override readonly name = 'ConnectionFailed';

  constructor(host: string, cause: unknown) {
    const problem = certificateProblem(codeOf(cause));
    super(
      problem ? `The certificate of ${host} is not valid: ${problem}` : `No connection to ${host}: ${reason(cause)}`,
      {
        cause,
      },
    );
  }
}

/** The request was sent, but no valid response headers arrived. */
export class NoResponse extends Error {
  override readonly name: string = 'NoAnswer';
}

/** The connection ended before the first byte of a response. */
export class ConnectionLost extends NoResponse {
  override readonly name = 'ConnectionLost';

  constructor(cause: unknown) {
    super('The connection was closed before a response arrived', { cause });
  }
}

const certificateProblems: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'it has expired',
  CERT_NOT_YET_VALID: 'it is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its authority is not trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'its authority is not trusted, or the server does not send an intermediate certificate',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'its authority is not trusted, or the server does not send an intermediate certificate',
  ERR_TLS_CERT_ALTNAME_INVALID: 'it is for another host',
};

/** Describes an X.509 error code of `node:tls`; undefined for other codes. */
function certificateProblem(code: string): string | undefined {
  const isAboutCertificate = /^(?:CERT_|CRL_|UNABLE_TO_|ERROR_IN_C|INVALID_|PATH_LENGTH_|HOSTNAME_MISMATCH)/.test(code);
  return certificateProblems[code] ?? (isAboutCertificate ? 'it cannot be verified' : undefined);
}

const reasonsByCode: Readonly<Record<string, string>> = {
  ABORT_ERR: 'no response in time',
  ETIMEDOUT: 'no response in time',
  UND_ERR_CONNECT_TIMEOUT: 'no response in time',
  ENOTFOUND: 'the name has no address',
  EAI_AGAIN: 'the name cannot be looked up',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  EHOSTUNREACH: 'there is no route to it',
  ENETUNREACH: 'there is no route to it',
};

/** Replaces Node's own message, which contains the address. */
function reason(cause: unknown, fallback = 'the connection failed'): string {
  return reasonsByCode[codeOf(cause)] ?? fallback;
}

function codeOf(cause: unknown): string {
  return typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : '';
}
