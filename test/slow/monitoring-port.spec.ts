import { once } from 'node:events';
import { connect } from 'node:net';
import { BreakableProxy } from '../support/breakable-proxy.js';
import { CommandRunner, freePort, OutreachProcess } from '../support/command-line.js';
import { containerHealth } from '../support/container-health.js';
import { eventually } from '../support/eventually.js';
import { httpError } from '../support/expected.js';
import { ScrapedMetrics } from '../support/metrics.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { redisSettings } from '../support/test-redis.js';

describe('METRICS_PORT', () => {
  const commands = new CommandRunner();
  let database: TestDatabase;
  let settings: Record<string, string>;
  let proxy: BreakableProxy;
  let worker: OutreachProcess;
  let api: OutreachProcess;
  let ofWorker: string;
  let ofApi: string;
  let apiUrl: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    proxy = await BreakableProxy.to(database.url);
    const [workerPort, apiPort, metricsPort] = [await freePort(), await freePort(), await freePort()];
    ofWorker = `http://127.0.0.1:${workerPort}`;
    ofApi = `http://127.0.0.1:${metricsPort}`;
    apiUrl = `http://127.0.0.1:${apiPort}`;
    settings = {
      DATABASE_URL: database.url,
      ENCRYPTION_KEY: 'a key that only tests use',
      LOG_LEVEL: 'silent',
      ...redisSettings(database),
    };
    // The worker has no API, so its port may be that of PORT.
    const ports = { METRICS_PORT: workerPort, PORT: workerPort };
    const DATABASE_URL = proxy.urlThrough(database.url);
    worker = await OutreachProcess.serve({ ...settings, ...ports, ROLE: 'worker', DATABASE_URL });
    api = await OutreachProcess.serve({ ...settings, ROLE: 'api', METRICS_PORT: metricsPort, PORT: apiPort });
  });
  afterAll(async () => {
    commands.stop();
    proxy.restore();
    await Promise.all([worker.stop(), api.stop()]);
    await proxy.stop();
    await database.drop();
  });

  const health = async (url: string) => {
    const response = await fetch(url);
    return { status: response.status, body: await response.json() };
  };
  const ready = (url: string) => health(`${url}/health/ready`);

  it('has the metrics and the health of a worker, and nothing else', async () => {
    expect((await fetch(`${ofWorker}/health/live`)).status).toBe(200);
    const checks = { database: true, work: true, ...(settings.REDIS_URL ? { redis: true } : {}) };
    await eventually(async () =>
      expect(await ready(ofWorker)).toEqual({ status: 200, body: { status: 'ok', checks } }),
    );
    const working = { status: 200, body: { status: 'ok', checks: { work: true } } };
    expect(await health(`${ofWorker}/health/work`)).toEqual(working);
    const response = await fetch(`${ofWorker}/metrics`);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
    ]);
    for (const path of [
      '/',
      '/v1/me',
      '/docs',
      '/openapi.json',
      '/llms.txt',
      '/metrics/',
      '/health',
      '/marketplace',
      '/metrics%00',
    ]) {
      const { status } = await fetch(ofWorker + path);
      expect([path, status]).toEqual([path, 404]);
    }
  });

  it('has those of an API process, too, whose other port shows only that it runs', async () => {
    await eventually(async () => expect((await ready(ofApi)).status).toBe(200));
    expect((await ScrapedMetrics.of(ofApi)).names).toContain('outreach_database_pool');
    // It has no worker that could leave work alone.
    expect(await health(`${ofApi}/health/work`)).toEqual({ status: 200, body: { status: 'ok', checks: {} } });
    expect((await fetch(`${ofApi}/v1/me`)).status).toBe(404);
    expect((await fetch(`${apiUrl}/v1/me`)).status).toBe(401);
    expect((await fetch(`${apiUrl}/health/live`)).status).toBe(200);
    for (const path of ['/health/ready', '/health/work', '/metrics', '/health/ready/', '/metrics?x=1', '/METRICS']) {
      const response = await fetch(apiUrl + path);
      expect([path, response.status, await response.json()]).toEqual([path, 404, httpError(404)]);
    }
    expect((await fetch(`${apiUrl}/metrics`, { method: 'POST' })).status).toBe(404);
  });

  it('is what the health check of the container asks, and without it the port of the API', async () => {
    const port = (url: string) => new URL(url).port;
    const asked: Record<string, string>[] = [
      { ROLE: 'worker', METRICS_PORT: port(ofWorker) },
      { ROLE: 'api', METRICS_PORT: port(ofApi), PORT: '1' },
      { ROLE: 'worker' },
    ];
    // Repeated, because a response may come too late on a slow machine.
    for (const env of asked)
      await eventually(async () => expect(await containerHealth(env)).toEqual({ code: 0, stderr: '' }));
    const closed: Record<string, string>[] = [
      { METRICS_PORT: '1' },
      { ROLE: 'worker', METRICS_PORT: '1' },
      { PORT: '1' },
    ];
    for (const env of closed) {
      const { code, stderr } = await containerHealth(env);
      const path = env.ROLE === 'worker' ? 'work' : 'ready';
      expect([code, stderr]).toEqual([1, expect.stringMatching(`^http://127\\.0\\.0\\.1:1/health/${path}: .+\n$`)]);
    }
  });

  it('refuses other methods, and answers HEAD without a body', async () => {
    const response = await fetch(`${ofWorker}/metrics`, { method: 'POST', body: 'x'.repeat(100_000) });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect(await response.json()).toMatchObject({ error: 'HttpError', code: 405 });
    const head = await fetch(`${ofWorker}/health/live?x=1`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  it.each<[string, () => Record<string, string>, RegExp]>([
    [
      'is that of PORT',
      () => ({ PORT: '4000', METRICS_PORT: '4000' }),
      /^METRICS_PORT must be another port than PORT, which is 4000\.\n$/,
    ],
    ['is no port', () => ({ METRICS_PORT: '0' }), /^METRICS_PORT must be a whole number from 1 to 65535\.\n$/],
    [
      'is in use',
      () => ({ ROLE: 'worker', METRICS_PORT: new URL(ofWorker).port }),
      /^Cannot listen on 127\.0\.0\.1, port \d+: another process uses this port\.\n$/,
    ],
  ])('ends the start with one line if it %s', async (_, env, line) => {
    const { code, stdout, stderr } = await commands.run(['serve'], { ...settings, ...env() });
    expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(line) });
  });

  it('answers what is not HTTP with 400, and answers others while clients read nothing', async () => {
    const port = Number(new URL(ofWorker).port);
    const open = async (text: string) => {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => undefined);
      await once(socket, 'connect');
      socket.write(text);
      return socket;
    };
    const wrong = await open('nonsense\r\n\r\n');
    const [reply] = (await once(wrong, 'data')) as [Buffer];
    expect(reply.toString()).toMatch(/^HTTP\/1\.1 400 /);
    const request = 'GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n';
    const slow = await Promise.all(Array.from({ length: 50 }, () => open(request.repeat(100))));
    for (const socket of slow) socket.pause();
    expect((await ScrapedMetrics.of(ofWorker)).names).toContain('process_resident_memory_bytes');
    for (const socket of [...slow, wrong]) socket.destroy();
  });

  /** The names of two responses to requests that are sent together, in the order in which they arrive. */
  const order = async (): Promise<string[]> => {
    const arrived: string[] = [];
    const request = async (path: string) => {
      await (await fetch(`${ofWorker}${path}`)).text();
      arrived.push(path);
    };
    await Promise.all([request('/health/ready'), request('/metrics')]);
    return arrived;
  };

  it.each<[string, () => void, () => Promise<unknown>]>([
    ['is away', () => proxy.break(), () => Promise.resolve()],
    [
      'hangs',
      () => proxy.hang(),
      // The check of the database takes until its time limit. Repeated, because its result is used for a second.
      () => eventually(async () => expect(await order()).toEqual(['/metrics', '/health/ready'])),
    ],
  ])(
    'answers from memory while PostgreSQL %s: not ready, and without what is sampled there',
    async (_, begin, prove) => {
      await eventually(async () =>
        expect((await ScrapedMetrics.of(ofWorker)).value('outreach_messages_due')).toBeDefined(),
      );
      begin();
      await eventually(async () => {
        const { status, body } = await ready(ofWorker);
        expect([status, body]).toEqual([503, expect.objectContaining({ status: 'unavailable' })]);
        expect(body).toMatchObject({ checks: { database: false, work: true } });
      });
      // It is not to be restarted: the results in its memory would be lost.
      expect(await health(`${ofWorker}/health/work`)).toMatchObject({ status: 200 });
      const { port } = new URL(ofWorker);
      await eventually(async () =>
        expect(await containerHealth({ ROLE: 'worker', METRICS_PORT: port })).toEqual({ code: 0, stderr: '' }),
      );
      expect((await fetch(`${ofWorker}/health/live`)).status).toBe(200);
      await prove();
      await eventually(async () => {
        const metrics = await ScrapedMetrics.of(ofWorker);
        expect(metrics.value('outreach_messages_due')).toBeUndefined();
        expect(metrics.value('outreach_messages_total', { outcome: 'sent' })).toBe(0);
      });
      proxy.restore();
      await eventually(async () => expect((await ready(ofWorker)).status).toBe(200));
    },
  );
});
