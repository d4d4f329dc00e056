import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiClient } from '../support/api-client.js';
import { type CrashingDatabase, startCrashingDatabase } from '../support/crashing-database.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { startService, type TestService } from '../support/service.js';
import { SmallDisk } from '../support/small-disk.js';
import { ServiceProcess } from '../support/service-process.js';

const MESSAGES = 300;
const SENT_BEFORE = 60;
const REQUESTS = 40;
const DISK_MEGABYTES = 400;
/** A small log, so that PostgreSQL soon needs a new file for it. */
const SETTINGS = { max_wal_size: '32MB', min_wal_size: '32MB', shared_buffers: '32MB', autovacuum: 'off' };

describe('PostgreSQL without disk space', () => {
  let disk: SmallDisk | undefined;
  let database: CrashingDatabase;
  let service: TestService;
  let sink: MailSink;
  let api: ApiClient;
  let given: Given;
  let workers: ServiceProcess[] = [];

  beforeAll(async () => {
    disk = await SmallDisk.mount(DISK_MEGABYTES);
    database = await startCrashingDatabase({
      settings: SETTINGS,
      ...(disk && { dataDir: join(disk.directory, 'data') }),
    });
    service = await startService({ LOG_LEVEL: 'fatal' }, database);
  });
  beforeEach(async () => {
    sink = await MailSink.start();
    api = await service.client();
    given = new Given(api, database);
  });
  afterEach(async () => {
    await Promise.all(workers.map((worker) => worker.stop()));
    workers = [];
    await sink.stop();
  });
  afterAll(async () => {
    await service.stop();
    await database.drop();
    await disk?.unmount();
  });

  /** Limits the size of the files that PostgreSQL may write. Only its own user may do that, and so may root as this user. */
  async function limitFiles(bytes: number | 'unlimited'): Promise<void> {
    const postmaster = String(await database.postmaster());
    const children = execFileSync('ps', ['-o', 'pid=', '--ppid', postmaster], { encoding: 'utf8' });
    const { uid, gid } = statSync(`/proc/${postmaster}`);
    const user = process.getuid?.() === 0 ? { uid, gid } : {};
    for (const pid of [postmaster, ...children.trim().split(/\s+/)])
      try {
        execFileSync('prlimit', ['--pid', pid, `--fsize=${bytes}:`], { ...user, stdio: 'pipe' });
      } catch (error) {
        // A session may have ended meanwhile.
        if (existsSync(`/proc/${pid}`)) throw error;
      }
  }
  async function fill(): Promise<void> {
    if (!disk) return limitFiles(0);
    await disk.fill();
  }
  async function free(): Promise<void> {
    if (disk) await disk.free();
    else await limitFiles('unlimited').catch(() => undefined);
    // It ends if it finds no space for its recovery either. Who frees the space starts it again.
    await eventually(() => database.query('SELECT 1')).catch(() => database.restart());
  }
  /** Writes to the write-ahead log until that needs a file for which there is no space. */
  const fillLog = async (): Promise<void> => {
    for (let failed = false; !failed;)
      await database
        .query(`SELECT pg_logical_emit_message(TRUE, 'test', repeat('x', 1000000))`)
        .catch(() => (failed = true));
  };
  /** Requests that read and that write. @returns how often each status was the response */
  async function request(prefix: string): Promise<Map<number, number>> {
    const statuses = new Map<number, number>();
    for (let n = 1; n <= REQUESTS; n++) {
      const response = await (n % 2
        ? api.get('/contacts')
        : api.post('/contacts', { email: `${prefix}${n}@example.com` }));
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      if (response.status === 503) expect(response.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
      else expect([200, 201]).toContain(response.status);
    }
    return statuses;
  }

  it('responds with 503, loses and doubles no message, and everything goes on when there is space', async () => {
    if (!disk) console.warn('Cannot mount a file system: PostgreSQL gets a limit for the size of its files instead.');
    sink.misbehave({ at: 'reply', wait: () => new Promise((resolve) => setTimeout(resolve, 20)) });
    await given.mailbox(sink);
    await given.mailbox(sink, { from_email: 'second@sender.example' });
    workers = await Promise.all([1, 2].map(() => ServiceProcess.startWorker(service, { LOG_LEVEL: 'fatal' })));
    const campaign = await given.running(await given.contacts(MESSAGES));
    await eventually(() => expect(sink.mails.length).toBeGreaterThan(SENT_BEFORE));
    await fill();
    await request('full');
    await fillLog();
    expect((await request('without-log')).get(503)).toBeGreaterThan(0);
    expect(sink.mails.length).toBeLessThan(MESSAGES);
    await free();
    await eventually(async () => {
      const { body } = await api.get(`/campaigns/${campaign.id}`);
      expect(body.data?.status).toBe('completed');
    });
    expect(new Set(sink.mails.map(({ message_id: id }) => id)).size).toBe(MESSAGES);
    expect(sink.mails).toHaveLength(MESSAGES);
    const { data } = await api.get(`/campaigns/${campaign.id}/stats`);
    expect(data.messages).toMatchObject({ sent: MESSAGES, queued: 0, failed: 0, unknown: 0 });
  });

  it('responds with 503 while only one table cannot grow, because of a quota of the file system', async () => {
    const insert = (prefix: string) =>
      database.query(
        `INSERT INTO contacts (workspace_id, email, job_title)
         SELECT $1, $2 || n || '@example.com', repeat('x', 250) FROM generate_series(1, 50000) n`,
        [api.workspaceId, prefix],
      );
    await insert('large');
    await limitFiles(16 * 1_048_576);
    // Uses up the space that the files of the table have already.
    await expect(insert('more')).rejects.toThrow('could not extend file');
    const { status, headers } = await api.post('/contacts', { email: 'ada@example.com', job_title: 'x'.repeat(250) });
    expect([status, headers.get('retry-after')]).toEqual([503, '1']);
    await limitFiles('unlimited');
    expect((await api.post('/contacts', { email: 'ada@example.com' })).status).toBe(201);
  });
});
