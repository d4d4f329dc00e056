import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { closeIfStalled } from './stalled-clients.js';

/** More than the buffers of a connection. */
const BODY = Buffer.alloc(30_000_000);

describe('closeIfStalled', () => {
  const responses: ServerResponse[] = [];
  const server = createServer((request, response) => {
    responses.push(response);
    closeIfStalled(response, 100);
    if (request.url === '/large') response.end(BODY);
  });

  beforeAll(async () => void (await once(server.listen(0, '127.0.0.1'), 'listening')));
  afterAll(() => void server.close());

  /** Sends a request over a connection from which nothing is read. */
  async function requested(path: string) {
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
    client.write(`GET ${path} HTTP/1.1\r\nHost: test\r\n\r\n`);
    await once(server, 'request');
    const response = responses.at(-1);
    if (!response) throw new Error('No response was created.');
    return { client, response };
  }

  it('closes the connection of a client that reads nothing', async () => {
    const { client, response } = await requested('/large');
    await once(response, 'close');
    let received = 0;
    client.on('data', (chunk: Buffer) => (received += chunk.length)).on('error', () => undefined);
    await once(client.resume(), 'close');
    expect(received).toBeLessThan(BODY.length);
  });

  it('does not close a connection while the response is not written yet', async () => {
    const { client, response } = await requested('/unwritten');
    await once(response, 'timeout');
    expect(response.destroyed).toBe(false);
    response.end('late');
    client.resume();
    const [text] = (await once(client, 'data')) as [Buffer];
    expect(text.toString()).toContain('late');
    client.destroy();
  });
});
