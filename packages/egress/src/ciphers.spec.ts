import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { connect, DEFAULT_CIPHERS } from 'node:tls';
import { CIPHERS } from './ciphers.js';

/** Where the length of the session ID is in the first record of a client (RFC 5246, 6.2.1 and 7.4.1.2). */
const SESSION_ID_AT = 43;

/** Returns the numbers of the cipher suites that a client offers with a list of ciphers. */
async function offered(ciphers: string): Promise<number[]> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect({ port: (server.address() as AddressInfo).port, ciphers, maxVersion: 'TLSv1.2' });
  client.on('error', () => undefined);
  const [socket] = await once(server, 'connection');
  const [hello] = (await once(socket, 'data')) as [Buffer];
  client.destroy();
  socket.destroy();
  server.close();
  const at = SESSION_ID_AT + 1 + (hello[SESSION_ID_AT] ?? 0);
  const length = hello.readUInt16BE(at);
  return Array.from({ length: length / 2 }, (_, index) => hello.readUInt16BE(at + 2 + 2 * index));
}

it('CIPHERS are those of Node, without Diffie-Hellman over numbers that the server chooses', async () => {
  const [own, all, ephemeral] = await Promise.all([CIPHERS, DEFAULT_CIPHERS, 'kDHE'].map(offered));
  const withNumbers = new Set(ephemeral);
  expect(all?.some((suite) => withNumbers.has(suite))).toBe(true);
  // The last one says that the client knows renegotiation, and is part of each list (RFC 5746, 3.3).
  expect(own?.slice(0, -1)).toEqual(all?.slice(0, -1).filter((suite) => !withNumbers.has(suite)));
});
