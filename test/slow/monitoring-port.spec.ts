import { once } from 'node:events';
import { connect } from 'node:net';
import { BreakableProxy } from '../support/breakable-proxy.js';
import { freePort, outreach } from '../support/command-line.js';
import { containerHealth } from '../support/container-health.js';
import { eventually } from '../support/eventually.js';
import { ScrapedMetrics } from '../support/metrics.js';
import { ServiceProcess } from '../support/service-process.js';
import { useService } from '../support/service.js';

describe('METRICS_PORT', () => {
  const service = useService();
  let proxy: BreakableProxy;
  let worker: ServiceProcess;
  let api: ServiceProcess;
  let ofWorker: string;
  let ofApi: string;

  beforeAll(async () => {
    proxy = await BreakableProxy.to(service.database.url);
    const [workerPort, apiPort] = [await freePort(), await freePort()];
    ofWorker = `http://127.0.0.1:${workerPort}`;
    ofApi = `http://127.0.0.1:${apiPort}`;
    // The worker has no API, so its port may be that of PORT.
    const env = { DATABASE_URL: proxy.urlThrough(service.database.url), LOG_LEVEL: 'silent' };
    worker = await ServiceProcess.startWorker(service, { ...env, METRICS_PORT: workerPort, PORT: workerPort });
    api = await ServiceProcess.startApi(service, { METRICS_PORT: apiPort });
  });
  afterAll(async () => {
    proxy.restore();
    await Promise.all([worker.stop(), api.stop()]);
    await proxy.stop();
  });

  const ready = async (url: string) => {
    const response = await fetch(`${url}/health/ready`);
    return { status: response.status, body: await response.json() };
  };

  it('has the metrics and the health of a worker, and nothing else', async () => {
    expect((await fetch(`${ofWorker}/health/live`)).status).toBe(200);
    const checks = { database: true, work: true, ...(service.config.redis_url ? { redis: true } : {}) };
    await eventually(async () =>
      expect(await ready(ofWorker)).toEqual({ status: 200, body: { status: 'ok', checks } }),
    );
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

  it('has those of an API process, too, beside its other port', async () => {
    for (const url of [ofApi, api.url]) {
      await eventually(async () => expect((await ready(url)).status).toBe(200));
      expect((await ScrapedMetrics.of(url)).names).toContain('outreach_database_pool');
    }
    expect((await fetch(`${ofApi}/v1/me`)).status).toBe(404);
    expect((await fetch(`${api.url}/v1/me`)).status).toBe(401);
  });

  it('is what the health check of the container asks, and without it the port of the API', async () => {
    const port = (url: string) => new URL(url).port;
    const healthy = { code: 0, stderr: '' };
    expect(await containerHealth({ ROLE: 'worker', METRICS_PORT: port(ofWorker) })).toEqual(healthy);
    expect(await containerHealth({ ROLE: 'api', METRICS_PORT: port(ofApi), PORT: '1' })).toEqual(healthy);
    expect(await containerHealth({ ROLE: 'api', PORT: port(api.url) })).toEqual(healthy);
    expect(await containerHealth({ ROLE: 'worker' })).toEqual(healthy);
    const closed: Record<string, string>[] = [
      { METRICS_PORT: '1' },
      { ROLE: 'worker', METRICS_PORT: '1' },
      { PORT: '1' },
    ];
    for (const env of closed) {
      const { code, stderr } = await containerHealth(env);
      expect([code, stderr]).toEqual([1, expect.stringMatching(/^http:\/\/127\.0\.0\.1:1\/health\/ready: .+\n$/)]);
    }
  });

  it('refuses other methods, and answers HEAD without a body', async () => {
    const response = await fetch(`${ofWorker}/metrics`, { method: 'POST', body: 'x'.repeat(100_000) });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect(await response.json()).toMatchObject({ error: 'HttpError', code: 405 });
    const head = await fetch(`${ofWorker}/health/ready?x=1`, { method: 'HEAD' });
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
    const { code, stdout, stderr } = await outreach(['serve'], {
      DATABASE_URL: service.database.url,
      ENCRYPTION_KEY: 'a key that only tests use',
      ...env(),
    });
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

  it.each<[string, () => void]>([
    ['is away', () => proxy.break()],
    ['hangs', () => proxy.hang()],
  ])('answers from memory while PostgreSQL %s: not ready, and without what is sampled there', async (_, begin) => {
    await eventually(async () =>
      expect((await ScrapedMetrics.of(ofWorker)).value('outreach_messages_due')).toBeDefined(),
    );
    begin();
    await eventually(async () => {
      const { status, body } = await ready(ofWorker);
      expect([status, body]).toEqual([503, expect.objectContaining({ status: 'unavailable' })]);
      expect(body).toMatchObject({ checks: { database: false, work: true } });
    });
    expect((await fetch(`${ofWorker}/health/live`)).status).toBe(200);
    await eventually(async () => {
      const startedAt = performance.now();
      const metrics = await ScrapedMetrics.of(ofWorker);
      expect(performance.now() - startedAt).toBeLessThan(1_000);
      expect(metrics.value('outreach_messages_due')).toBeUndefined();
      expect(metrics.value('outreach_messages_total', { outcome: 'sent' })).toBe(0);
    });
    proxy.restore();
    await eventually(async () => expect((await ready(ofWorker)).status).toBe(200));
  });
});
