import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { ApiClient } from '../support/api-client.js';
import { useService } from '../support/service.js';

const REQUESTS = 12;
/** The limit of the service, and half a response for what else is in memory. */
const MAX_IN_MEMORY = 3.5;
const MAX_STORED_BYTES = 100_000;
const LARGE_PAGE = '/templates?per_page=100';

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
  });

  /** @returns the bytes that this process has in memory, without garbage */
  function memory(): number {
    collectGarbage();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  }

  /** Sends requests whose clients read nothing. @returns the memory that they occupy when `settled` is fulfilled */
  async function memoryOf(count: number): Promise<number> {
    const before = memory();
    const sockets: Socket[] = [];
    for (let index = 0; index < count; index += 1) sockets.push(await sendUnread());
    // Any response that the service computes beside these is computed before those of other workspaces.
    const other = await service.client();
    for (let index = 0; index < REQUESTS; index += 1) expect((await other.get(LARGE_PAGE)).status).toBe(200);
    const used = memory() - before;
    for (const socket of sockets) socket.destroy();
    return used;
  }

  async function sendUnread(): Promise<Socket> {
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname).pause();
    await once(socket, 'connect');
    socket.write(`GET /v1${LARGE_PAGE} HTTP/1.1\r\nHost: test\r\nAuthorization: Bearer ${api.token}\r\n\r\n`);
    return socket;
  }

  it('has at most three of them in memory, however many it requests', async () => {
    await memoryOf(1);
    const one = await memoryOf(1);
    expect((await memoryOf(REQUESTS)) / one).toBeLessThan(MAX_IN_MEMORY);
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
