import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiClient, ApiResponse } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { useService } from '../support/service.js';
import { type Attack, workBeside } from '../support/work-beside.js';

const CONTACTS = 30_000;
const EXPORTS = 30;
const IMPORTS = 6;
const IMPORTED_ROWS = 7_000;
const SEARCHES = 24;
/** Without shares, all waiting searches end before the request of another workspace. */
const MAX_SEARCHES_BESIDE = SEARCHES / 3;
/** Without shares, several exports end before the request of another workspace does. */
const MAX_EXPORTS_BESIDE = 0.5;
const BUSY_PAUSE_MS = 20;

const times = <R>(count: number, task: (index: number) => R): R[] =>
  Array.from({ length: count }, (_, index) => task(index));

/** Requests that count how many of them have ended. */
class Flood {
  ended = 0;
  readonly requests: readonly Promise<ApiResponse>[];

  constructor(count: number, send: (index: number) => Promise<ApiResponse>) {
    this.requests = times(count, (index) => send(index).finally(() => (this.ended += 1)));
  }

  /** @returns the number of successful responses. @throws if one is neither successful nor refused as busy */
  async succeeded(): Promise<number> {
    const responses = await Promise.all(this.requests);
    const unexpected = responses.filter(({ status, body }) => status !== 200 && body.reason !== 'busy');
    expect(unexpected.map(({ status, body }) => [status, body])).toEqual([]);
    return responses.filter(({ status }) => status === 200).length;
  }
}

describe('a workspace that exports, imports and searches as much as it can', () => {
  const service = useService({ LOG_LEVEL: 'fatal' });
  let attacker: ApiClient;
  let honest: ApiClient;
  beforeAll(async () => {
    // The client must not reuse a connection that the server closes at this moment, while both are busy in one process.
    service.app.getHttpServer().keepAliveTimeout = 60_000;
    [attacker, honest] = [await service.client(), await service.client()];
    await new Given(attacker, service.database).contacts(CONTACTS);
    await new Given(honest, service.database).contacts(20);
    await service.database.query('ANALYZE');
  });

  const csv = (rows: number, prefix: string): FormData => {
    const form = new FormData();
    form.append(
      'file',
      new Blob(['email\n', ...times(rows, (row) => `${prefix}${row}@example.com\n`)]),
      'contacts.csv',
    );
    return form;
  };

  /** Reads exports until it is stopped. */
  function exportAll(): Attack {
    const controller = new AbortController();
    let bytes = 0;
    const { url, token } = attacker;
    const read = async (): Promise<void> => {
      const options = { headers: { authorization: `Bearer ${token}` }, signal: controller.signal };
      const { body } = await fetch(`${url}/v1/contacts/export`, options);
      const count = (chunk: Uint8Array): void => void (bytes += chunk.byteLength);
      await body?.pipeTo(new WritableStream({ write: count }));
    };
    const exports = times(EXPORTS, read);
    return {
      done: () => bytes,
      stop: () => {
        controller.abort();
        return Promise.allSettled(exports);
      },
    };
  }

  /** Sends requests until it is stopped, `SEARCHES` at a time. */
  function repeat(send: (index: number) => Promise<ApiResponse>): Attack {
    let isStopped = false;
    let ended = 0;
    const loops = times(SEARCHES, async (index) => {
      while (!isStopped) {
        const { status, body } = await send(index);
        if (status !== 200) expect(body).toMatchObject({ code: 429, reason: 'busy' });
        if (status === 200) ended += 1;
        else await sleep(BUSY_PAUSE_MS);
      }
    });
    return {
      done: () => ended,
      stop: () => {
        isStopped = true;
        return Promise.all(loops);
      },
    };
  }

  it('has little done by its exports before a request of another workspace ends', async () => {
    const { body } = await attacker.get('/contacts/export');
    expect((await workBeside(honest, exportAll)) / body.length).toBeLessThan(MAX_EXPORTS_BESIDE);
  });

  it('has few of its imports done before the import of another workspace ends', async () => {
    const flood = new Flood(IMPORTS, (file) => attacker.post('/contacts/import', csv(IMPORTED_ROWS, `f${file}-`)));
    await eventually(() => expect(flood.ended).toBe(1));
    const { data } = await honest.post('/contacts/import', csv(10, 'honest'));
    expect(data).toMatchObject({ imported: 10 });
    expect(flood.ended).toBeLessThan(IMPORTS / 2);
    expect(await flood.succeeded()).toBe(IMPORTS);
  });

  it('has few of its searches done before a request of another workspace ends', async () => {
    const search = (): Promise<ApiResponse> => attacker.get('/contacts?per_page=100&search=a+b+c+d+e+f');
    expect(await workBeside(honest, () => repeat(search))).toBeLessThan(MAX_SEARCHES_BESIDE);
  });
});
