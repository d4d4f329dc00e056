import { once } from 'node:events';
import { isIP } from 'node:net';
import { connect as startTls, type SecureContext, type TLSSocket } from 'node:tls';
import { connect, type Destination } from './connect.js';
import { HostUnverified } from './egress-errors.js';
import { timeoutSignal } from './timeout-signal.js';
import { normalizeHost } from './host-name.js';

/**
 * Opens a TLS connection for HTTP/1.1 to one of the host's checked addresses, see {@link connect}. The certificate must be
 * valid for the host. SNI is sent for names only (RFC 6066). Throws HostUnverified, and what `connect` throws. Later
 * errors only close the socket; the caller need not listen to `error`.
 */
export async function connectTls(destination: Destination, secureContext: SecureContext): Promise<TLSSocket> {
  const { host, port, timeoutMs } = destination;
  const deadline = performance.now() + timeoutMs;
  const tcpSocket = await connect(destination);
  tcpSocket.on('error', () => undefined);
  tcpSocket.setNoDelay(true);
  const name = normalizeHost(host) ?? host;
  const socket = startTls({
    socket: tcpSocket,
    // Not sent, unlike `servername`; the certificate is checked against it if the host is an address.
    host: name,
    ...(isIP(name) ? {} : { servername: name }),
    ALPNProtocols: ['http/1.1'],
    secureContext,
    rejectUnauthorized: true,
  });
  socket.on('error', () => undefined);
  try {
    await once(socket, 'secureConnect', { signal: timeoutSignal(deadline - performance.now()) });
    return socket;
  } catch (error) {
    socket.destroy();
    throw new HostUnverified(name, port, error);
  }
}
