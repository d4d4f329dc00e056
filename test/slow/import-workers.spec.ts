import { setTimeout as pause } from 'node:timers/promises';
import type { ApiClient } from '../support/api-client.js';
import type { Schema } from '../support/api-schemas.js';
import { BlockingTransaction } from '../support/blocking-transaction.js';
import { eventually } from '../support/eventually.js';
import { useService } from '../support/service.js';
import { ServiceProcess } from '../support/service-process.js';

describe('an import in the background', () => {
  const service = useService();
  let api: ApiClient;
  let lock: BlockingTransaction | undefined;
  let workers: ServiceProcess[];
  beforeEach(async () => {
    api = await service.client();
    workers = [];
  });
  afterEach(async () => {
    await lock?.end();
    await Promise.all(workers.map((worker) => worker.kill()));
  });

  const startWorker = async (): Promise<ServiceProcess> => {
    const worker = await ServiceProcess.startWorker(service, { LOG_LEVEL: 'fatal' });
    workers.push(worker);
    return worker;
  };
  const accepted = async (csv: string, client = api): Promise<number> => {
    const form = new FormData();
    form.set('file', new Blob([csv]), 'contacts.csv');
    return (await client.post('/contacts/import', form, { prefer: 'respond-async' })).data.id;
  };
  const get = async (id: number, client = api): Promise<Schema<'Import'>> => (await client.get(`/imports/${id}`)).data;
  const reaches = (id: number, expected: object, client = api) =>
    eventually(async () => expect(await get(id, client)).toMatchObject(expected));
  const count = async (): Promise<number> => (await api.get('/contacts?per_page=1')).body.meta.total;
  /** Makes imports of the workspace wait in the middle, for the lock that adding a custom field takes. */
  const block = (client = api): Promise<BlockingTransaction> =>
    BlockingTransaction.begin(service.database, `SELECT pg_advisory_xact_lock(hashtextextended('custom_fields', $1))`, [
      client.workspaceId,
    ]);
  /**
   * Kills the worker of an import that runs, and ends its lease, which takes twenty seconds otherwise. PostgreSQL notices
   * that the process is gone when its statement has ended.
   */
  const killDuring = async (worker: ServiceProcess, id: number): Promise<void> => {
    await lock?.blocks(1);
    await reaches(id, { status: 'running' });
    await worker.kill();
    await service.database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    await lock?.blocks(0);
    await service.database.query('UPDATE imports SET lease_until = now() WHERE id = $1', [id]);
  };
  const FILE = 'email,custom_fields.a\nann@example.com,1\nbob@example.com,2\n';

  it('begins anew on another worker after a kill -9, and is done once', async () => {
    lock = await block();
    const id = await accepted(FILE);
    await killDuring(await startWorker(), id);
    expect([await count(), (await get(id)).status]).toEqual([0, 'running']);
    await startWorker();
    await lock.blocks(1);
    await lock.end();
    await reaches(id, { status: 'completed', imported: 2, progress: 1 });
    expect(await count()).toBe(2);
  });

  it('fails with a reason after the second kill -9, and the next one runs', async () => {
    lock = await block();
    const id = await accepted(FILE);
    const next = await accepted('email\ncarl@example.com\n');
    for (let deaths = 0; deaths < 2; deaths++) await killDuring(await startWorker(), id);
    await lock.end();
    await startWorker();
    await reaches(id, { status: 'failed', reason: expect.stringContaining('interrupted twice'), imported: 0 });
    await reaches(next, { status: 'completed', imported: 1 });
    expect(await count()).toBe(1);
  });

  it('is cancelled while no worker lives, and nothing of it is done', async () => {
    lock = await block();
    const id = await accepted(FILE);
    await killDuring(await startWorker(), id);
    expect((await api.post(`/imports/${id}/cancel`)).data.status).toBe('cancelled');
    await lock.end();
    await startWorker();
    const next = await accepted('email\ncarl@example.com\n');
    await reaches(next, { status: 'completed' });
    expect([(await get(id)).status, await count()]).toEqual(['cancelled', 1]);
  });

  it('ends before its worker stops, which takes no other one', async () => {
    lock = await block();
    const [id, next] = [await accepted(FILE), await accepted('email\ncarl@example.com\n')];
    const worker = await startWorker();
    await lock.blocks(1);
    const stopped = worker.stop();
    // The signal arrives before the import can go on.
    await pause(1_000);
    await lock.end();
    expect(await stopped).toBe(0);
    expect([(await get(id)).status, (await get(next)).status]).toEqual(['completed', 'pending']);
    await startWorker();
    await reaches(next, { status: 'completed' });
  });

  it('is done once by two workers, beside many of another workspace, and each workspace gets its turn', async () => {
    const other = await service.client();
    const people = (n: number) => Array.from({ length: 200 }, (_, row) => `p${n}-${row}@example.com,1\n`).join('');
    lock = await block(other);
    const many: number[] = [];
    for (let n = 0; n < 8; n++) many.push(await accepted(`email,custom_fields.a\n${people(n)}`, other));
    await Promise.all([startWorker(), startWorker()]);
    await lock.blocks(1);
    const id = await accepted(FILE);
    await reaches(id, { status: 'completed', imported: 2 });
    const waiting = (await other.get('/imports?status=pending')).body.meta.total;
    expect(waiting).toBe(many.length - 1);
    await lock.end();
    for (const each of many) await reaches(each, { status: 'completed', imported: 200 }, other);
    expect((await other.get('/contacts?per_page=1')).body.meta.total).toBe(1_600);
  });
});
