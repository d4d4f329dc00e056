import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { ApiClient } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { useService } from '../support/service.js';

const REQUESTS = 12;
const UNREAD = 200;
const MEGABYTE = 1_048_576;
/** The limit of the service, and what the requests that wait need. */
const MAX_BYTES = 100 * MEGABYTE;
const MAX_STORED_BYTES = 100_000;

/** How many pages of 25 MB or 6 MB fit into 80 MB. */
const PAGES = [
  ['/templates?per_page=100', 3],
  ['/contacts?per_page=100', 12],
] as const;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

describe('a workspace with responses of many megabytes', () => {
  const service = useService({ LOG_LEVEL: 'fatal' });
  let api: ApiClient;
  let ids: number[];

  beforeAll(async () => {
    api = await service.client();
    const rows = await service.database.query<{ id: string }>(
      `INSERT INTO templates (workspace_id, name, subject, body)
       SELECT $1, 'T' || n, 'S', repeat('a', 250000) FROM generate_series(1, 100) n RETURNING id`,
      [api.workspaceId],
    );
    ids = rows.map(({ id }) => Number(id));
    await service.database.query(
      `INSERT INTO contacts (workspace_id, email, custom_fields)
       SELECT $1, 'a' || n || '@example.com', (SELECT jsonb_object_agg('k' || k, repeat('a', 2000)) FROM generate_series(1, 32) k)
       FROM generate_series(1, 100) n`,
      [api.workspaceId],
    );
  });

  /** @returns the bytes that this process has in memory, without garbage */
  function memory(): number {
    collectGarbage();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  }

  async function sendUnread(path: string): Promise<Socket> {
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname).pause();
    await once(socket, 'connect');
    socket.write(`GET /v1${path} HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer ${api.token}\r\n\r\n`);
    return socket;
  }

  it.each(PAGES)('has at most 80 MB of them in memory for 200 requests of %s', async (path, pages) => {
    const server = service.app.getHttpServer();
    const responses: ServerResponse[] = [];
    const collect = (_: unknown, response: ServerResponse): void => void responses.push(response);
    const written = (): number => responses.filter(({ writableEnded }) => writableEnded).length;
    const other = await service.client();
    expect((await api.get(path)).status).toBe(200);
    const before = memory();
    server.on('request', collect);
    const sockets: Socket[] = [];
    for (let index = 0; index < UNREAD; index += 1) sockets.push(await sendUnread(path));
    await eventually(() => expect([responses.length, written()]).toEqual([UNREAD, pages]));
    server.off('request', collect);
    for (let index = 0; index < REQUESTS; index += 1) {
      for (const list of [path, '/contacts', '/tags']) expect((await other.get(list)).status).toBe(200);
      expect((await api.get('/tags')).status).toBe(200);
    }
    expect(written()).toBe(pages);
    expect(memory() - before).toBeLessThan(MAX_BYTES);
    for (const socket of sockets) socket.destroy();
    await eventually(() => expect(responses.every(({ closed }) => closed)).toBe(true));
  });

  it('cannot store them for an Idempotency-Key', async () => {
    for (let index = 0; index < REQUESTS; index += 1) {
      const response = await api.post(`/templates/${ids[0]}/duplicate`, {}, { 'idempotency-key': `key ${index}` });
      expect(response.status).toBe(201);
    }
    const [row] = await service.database.query<{ requests: number; bytes: number }>(
      `SELECT count(*)::int AS requests, coalesce(sum(octet_length(response)), 0)::int AS bytes FROM idempotency_keys`,
    );
    expect(row?.requests).toBe(REQUESTS);
    expect(row?.bytes).toBeLessThan(REQUESTS * MAX_STORED_BYTES);
  });
});
