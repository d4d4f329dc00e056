import type { ApiClient } from '../support/api-client.js';
import type { Schema } from '../support/api-schemas.js';
import { BlockingTransaction } from '../support/blocking-transaction.js';
import { freePort } from '../support/command-line.js';
import { eventually } from '../support/eventually.js';
import { type TestService, useService } from '../support/service.js';
import { ServiceProcess } from '../support/service-process.js';

const FILE = 'email,custom_fields.a\nann@example.com,1\nbob@example.com,2\n';
const NEXT_FILE = 'email\ncarl@example.com\n';

const accepted = async (api: ApiClient, csv: string): Promise<number> => {
  const form = new FormData();
  form.set('file', new Blob([csv]), 'contacts.csv');
  return (await api.post('/contacts/import', form, { prefer: 'respond-async' })).data.id;
};
const get = async (api: ApiClient, id: number): Promise<Schema<'Import'>> => (await api.get(`/imports/${id}`)).data;
const reaches = (api: ApiClient, id: number, expected: object) =>
  eventually(async () => expect(await get(api, id)).toMatchObject(expected));
const count = async (api: ApiClient): Promise<number> => (await api.get('/contacts?per_page=1')).body.meta.total;

/** Makes imports of a workspace wait in the middle, for the lock that adding a custom field takes. */
const block = (service: TestService, { workspaceId }: ApiClient): Promise<BlockingTransaction> =>
  BlockingTransaction.begin(service.database, `SELECT pg_advisory_xact_lock(hashtextextended('custom_fields', $1))`, [
    workspaceId,
  ]);

const startProcess = (service: TestService, env: Record<string, string> = {}): Promise<ServiceProcess> =>
  ServiceProcess.startWorker(service, { LOG_LEVEL: 'fatal', ...env });

describe('an import in the background', () => {
  const service = useService();

  it('ends before its worker stops, which takes no other one', async () => {
    const api = await service.client();
    const lock = await block(service, api);
    const [id, next] = [await accepted(api, FILE), await accepted(api, NEXT_FILE)];
    const port = await freePort();
    const worker = await startProcess(service, { METRICS_PORT: port });
    try {
      await lock.blocks(1);
      const stopped = worker.stop();
      await eventually(async () => {
        const health = await fetch(`http://127.0.0.1:${port}/health/ready`);
        expect(await health.json()).toMatchObject({ status: 'stopping' });
      });
      await lock.end();
      expect(await stopped).toBe(0);
    } finally {
      await worker.kill();
    }
    expect([(await get(api, id)).status, (await get(api, next)).status]).toEqual(['completed', 'pending']);
    await service.startWorker();
    await reaches(api, next, { status: 'completed' });
  });
});

describe('an import in the background whose worker was killed', () => {
  const service = useService();
  /** Three imports at the same time, each of a workspace of its own. */
  let once: BlockedImport;
  let twice: BlockedImport;
  let cancelled: BlockedImport;

  interface BlockedImport {
    readonly api: ApiClient;
    readonly id: number;
    readonly lock: BlockingTransaction;
  }

  async function blockedImport(): Promise<BlockedImport> {
    const api = await service.client();
    const lock = await block(service, api);
    return { api, id: await accepted(api, FILE), lock };
  }

  /**
   * Kills a worker while it runs these imports, and ends their leases, which takes twenty seconds otherwise. PostgreSQL
   * notices that the process is gone when its statements have ended.
   */
  async function killDuring(worker: ServiceProcess, imports: readonly BlockedImport[]): Promise<void> {
    await Promise.all(imports.map(({ lock }) => lock.blocks(1)));
    for (const { api, id } of imports) await reaches(api, id, { status: 'running' });
    await worker.kill();
    await service.database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    await Promise.all(imports.map(({ lock }) => lock.blocks(0)));
    for (const { api, id } of imports) expect([await count(api), (await get(api, id)).status]).toEqual([0, 'running']);
    await service.database.query(`UPDATE imports SET lease_until = now() WHERE status = 'running'`);
  }

  beforeAll(async () => {
    [once, twice, cancelled] = [await blockedImport(), await blockedImport(), await blockedImport()];
    const workers: ServiceProcess[] = [];
    const startWorker = async (): Promise<ServiceProcess> => {
      const worker = await startProcess(service);
      workers.push(worker);
      return worker;
    };
    try {
      await killDuring(await startWorker(), [once, twice, cancelled]);
      expect((await cancelled.api.post(`/imports/${cancelled.id}/cancel`)).data.status).toBe('cancelled');
      await cancelled.lock.end();
      await once.lock.end();
      const second = await startWorker();
      await reaches(once.api, once.id, { status: 'completed' });
      await killDuring(second, [twice]);
    } finally {
      await Promise.all(workers.map((worker) => worker.kill()));
      await Promise.all([once, twice, cancelled].map(({ lock }) => lock.end()));
    }
    await service.startWorker();
  });

  it('begins anew on another worker after a kill -9, and is done once', async () => {
    await reaches(once.api, once.id, { status: 'completed', imported: 2, progress: 1 });
    expect(await count(once.api)).toBe(2);
  });

  it('fails with a reason after the second kill -9, and the next one runs', async () => {
    const { api, id } = twice;
    const next = await accepted(api, NEXT_FILE);
    await reaches(api, id, { status: 'failed', reason: expect.stringContaining('interrupted twice'), imported: 0 });
    await reaches(api, next, { status: 'completed', imported: 1 });
    expect(await count(api)).toBe(1);
  });

  it('stays cancelled if it was cancelled while no worker lived, and nothing of it is done', async () => {
    const { api, id } = cancelled;
    await reaches(api, await accepted(api, NEXT_FILE), { status: 'completed' });
    expect([(await get(api, id)).status, await count(api)]).toEqual(['cancelled', 1]);
  });

  it('does not delay those of other workspaces, and two workers import each file once', async () => {
    const [api, other] = [await service.client(), await service.client()];
    const people = (n: number) => Array.from({ length: 20 }, (_, row) => `p${n}-${row}@example.com,1\n`).join('');
    const lock = await block(service, other);
    const many: number[] = [];
    for (let n = 0; n < 5; n++) many.push(await accepted(other, `email,custom_fields.a\n${people(n)}`));
    const worker = await startProcess(service);
    try {
      await lock.blocks(1);
      await reaches(api, await accepted(api, FILE), { status: 'completed', imported: 2 });
      expect((await other.get('/imports?status=pending')).body.meta.total).toBe(many.length - 1);
      await lock.end();
      for (const each of many) await reaches(other, each, { status: 'completed', imported: 20 });
    } finally {
      await lock.end();
      await worker.kill();
    }
    expect(await count(other)).toBe(20 * many.length);
  });
});
