import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { ApiClient } from './api-client.js';

/** Sends a GET request over a connection of its own. */
export function sendRequest(url: string, { token }: ApiClient, path: string): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(`GET /v1${path} HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer ${token}\r\n\r\n`);
  return socket;
}

/** Sends a request whose client reads the first bytes of the response only. */
export async function openUnread(url: string, api: ApiClient, path: string): Promise<Socket> {
  const socket = sendRequest(url, api, path);
  const [first] = (await once(socket, 'data')) as [Buffer];
  socket.pause();
  expect(first.toString()).toMatch(/^HTTP\/1.1 200/);
  return socket;
}
