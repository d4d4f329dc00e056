import { freePort, OutreachProcess } from '../support/command-line.js';
import { type CrashingDatabase, startCrashingDatabase } from '../support/crashing-database.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { linesOf, logLines } from '../support/log-lines.js';
import { MailSink } from '../support/mail-sink.js';
import { RedisProcess } from '../support/redis-process.js';
import { ServiceProcess } from '../support/service-process.js';
import { useService } from '../support/service.js';

const MESSAGES = 30;
const REPEATED_AFTER_MS = 10_000;

describe('the log of a process whose database and Redis are lost and come back', () => {
  let database: CrashingDatabase;
  let redis: RedisProcess;
  let server: OutreachProcess;
  let port: string;
  let names: { readonly postgres: string; readonly redis: string };

  beforeAll(async () => {
    [database, redis, port] = await Promise.all([startCrashingDatabase(), RedisProcess.start(), freePort()]);
    const { pathname, host } = new URL(database.url);
    names = { postgres: `PostgreSQL ${pathname.slice(1)} at ${host}`, redis: `Redis at 127.0.0.1:${redis.port}` };
    server = await OutreachProcess.serve({
      DATABASE_URL: database.url,
      REDIS_URL: redis.url,
      ENCRYPTION_KEY: 'a key that only tests use',
      PORT: port,
      LOG_LEVEL: 'info',
    });
  });
  afterAll(async () => {
    await server.stop();
    await redis.kill();
    await database.drop();
  });

  const lines = (message: string) => linesOf(server.stderr, message);
  const outagesOf = (name: string) =>
    logLines(server.stderr)
      .filter(({ to }) => to === name)
      .map(({ msg }) => msg);

  it('begins with version, role, port, database and queue, without passwords', async () => {
    await eventually(() => expect(lines('started')).toHaveLength(1));
    expect(lines('started')).toMatchObject([
      {
        level: 'info',
        version: expect.stringMatching(/^\d+\.\d+\.\d+/),
        role: 'all',
        port: Number(port),
        database: names.postgres.replace('PostgreSQL ', ''),
        queue: names.redis,
      },
    ]);
    expect(server.stderr).not.toContain(new URL(database.url).password);
  });

  it('names Redis once when it is lost, and once when it is back', async () => {
    await redis.kill();
    await eventually(() => expect(outagesOf(names.redis)).toEqual(['connection lost']));
    await redis.restart();
    await eventually(() => expect(outagesOf(names.redis)).toEqual(['connection lost', 'connection restored']));
  });

  it('names PostgreSQL once when it is lost, and once when it is back', async () => {
    await database.restart();
    await eventually(() => expect(outagesOf(names.postgres)).toEqual(['connection lost', 'connection restored']));
  });

  it('ends with one line, and has no stack of an outage, and no equal warnings within ten seconds', async () => {
    expect((await server.stop()).code).toBe(0);
    expect(lines('stopped')).toMatchObject([{ uptime_seconds: expect.any(Number) }]);
    expect(server.stderr).not.toContain('"stack"');
    const lastAt = new Map<string, number>();
    for (const { time, pid: _pid, repeated: _repeated, ...line } of logLines(server.stderr)) {
      if (line.level !== 'warn' && line.level !== 'error') continue;
      const key = JSON.stringify(line);
      expect([key, Date.parse(time) - (lastAt.get(key) ?? -Infinity) >= REPEATED_AFTER_MS - 50]).toEqual([key, true]);
      lastAt.set(key, Date.parse(time));
    }
  });
});

describe('the log of a worker', () => {
  const service = useService();
  let worker: ServiceProcess;
  beforeAll(async () => {
    worker = await ServiceProcess.startWorker(service, { LOG_LEVEL: 'info' });
  });
  afterAll(() => worker.stop());

  it('has a line for each batch of messages of an account, without addresses', async () => {
    const sink = await MailSink.start();
    sink.misbehave({ at: 'rcpt', matches: /^batch1@/, refuse: [550, '5.1.1 No such user'] });
    const api = await service.client();
    const given = new Given(api, service.database);
    const { id } = await given.mailbox(sink);
    await given.running(await given.contacts(MESSAGES, 'batch'));
    await eventually(() => {
      const batches = linesOf(worker.errorOutput, 'messages sent').filter((line) => line.email_account_id === id);
      const sum = (field: string) => batches.reduce((total, line) => total + Number(line[field]), 0);
      expect({ sent: sum('sent'), failed: sum('failed') }).toEqual({ sent: MESSAGES - 1, failed: 1 });
      expect(batches.every(({ level, duration_ms: ms }) => level === 'info' && Number(ms) >= 0)).toBe(true);
    });
    expect(worker.errorOutput).not.toMatch(/batch\d+@/);
    await sink.stop();
  });

  it('names a mail server that does not reply once, and once when it does again', async () => {
    const first = await MailSink.start();
    const { host } = first;
    const api = await service.client();
    const given = new Given(api, service.database);
    await given.mailbox(first);
    await first.stop();
    await given.running(await given.contacts(MESSAGES, 'away'));
    const outages = () =>
      logLines(worker.errorOutput)
        .filter(({ to }) => to === `mail server ${host}`)
        .map(({ msg }) => msg);
    await eventually(() => expect(outages()).toEqual(['connection lost']));
    const second = await MailSink.start({ host });
    await eventually(async () => {
      await service.database.query(
        `UPDATE queued_messages SET next_attempt_at = now() WHERE workspace_id = $1 AND status = 'queued'`,
        [api.workspaceId],
      );
      expect(outages()).toEqual(['connection lost', 'connection restored']);
    });
    await second.stop();
  });
});
