import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { ApiClient } from '../support/api-client.js';
import { useService } from '../support/service.js';
import { mainThreadTimeOf } from './event-loop.js';

const CONNECTIONS = 2_000;
const REQUESTS = 50;
/** How many times as much processor time the requests may take. */
const MAX_COST = 3;

describe('a client with 2,000 open connections', () => {
  const service = useService({ LOG_LEVEL: 'fatal' });
  let api: ApiClient;
  let sockets: Socket[];
  beforeAll(async () => {
    service.app.getHttpServer().keepAliveTimeout = 60_000;
    api = await service.client();
  });
  beforeEach(() => void (sockets = []));
  afterEach(() => {
    for (const socket of sockets) socket.destroy();
  });

  async function openAll(text: string): Promise<void> {
    const { hostname, port } = new URL(service.url);
    for (let index = 0; index < CONNECTIONS; index += 1) {
      const socket = connect(Number(port), hostname);
      sockets.push(socket);
      await once(socket, 'connect');
      socket.write(text);
    }
  }

  const readLists = async (): Promise<void> => {
    for (let index = 0; index < REQUESTS; index += 1) expect((await api.get('/contacts')).status).toBe(200);
  };

  const openConnections = (): Promise<number> =>
    new Promise((resolve, reject) => {
      service.app
        .getHttpServer()
        .getConnections((error: Error | null, count: number) => (error ? reject(error) : resolve(count)));
    });

  it.each([
    ['sends nothing', ''],
    ['never ends the head of its request', 'GET /v1/contacts HTTP/1.1\r\nHost: te'],
  ])('and %s does not make the requests of others cost more', async (_, text) => {
    await readLists();
    const control = await mainThreadTimeOf(readLists);
    await openAll(text);
    expect(await openConnections()).toBeGreaterThanOrEqual(CONNECTIONS);
    expect((await mainThreadTimeOf(readLists)) / control).toBeLessThan(MAX_COST);
    expect(await openConnections()).toBeGreaterThanOrEqual(CONNECTIONS);
  });
});
