import { once } from 'node:events';
import { isIP } from 'node:net';
import { connect as startTls, type SecureContext, type TLSSocket } from 'node:tls';
import { connect, type Destination } from './connect.js';
import { HostUnverified } from './egress-errors.js';
import { timeoutSignal } from './timeout-signal.js';
import { normalizeHost } from './host-name.js';

/**
 * A TLS connection for HTTP/1.1 to one of the host's checked addresses, as {@link connect} makes them. The certificate
 * must hold for the host, which is asked for by name (RFC 6066: SNI is for names only). Throws HostUnverified beside
 * what `connect` throws. A socket that breaks later only closes; its `error` needs no listener.
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
    // Unlike `servername` not sent, but the certificate is checked against it where there is no name to send.
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
