import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, fetch } from 'undici';
import { freePort } from '../support/command-line.js';
import { eventually } from '../support/eventually.js';
import { startService, type TestService } from '../support/service.js';
import { pem, tlsFile } from '../support/tls-files.js';

const EXAMPLES = join(import.meta.dirname, '../../examples/deployment');
const ROWS = 20_000;
const LONG_NAME = 'Ada '.repeat(60);

interface Ports {
  readonly http: string;
  readonly https: string;
  readonly service: string;
}

const example = (file: string, { service }: Ports): string =>
  readFileSync(join(EXAMPLES, file), 'utf8').replaceAll('127.0.0.1:3000', `127.0.0.1:${service}`);

/** Starts nginx with the example, on other ports and with a certificate of the tests. */
function startNginx(folder: string, ports: Ports): ChildProcess {
  const site = example('nginx.conf', ports)
    .replaceAll('outreach.example.com;', 'localhost;')
    .replace('listen 80;', `listen 127.0.0.1:${ports.http};`)
    .replace('listen 443 ', `listen 127.0.0.1:${ports.https} `)
    .replace(/ssl_certificate [^;]+;/, `ssl_certificate ${tlsFile('server.pem')};`)
    .replace(/ssl_certificate_key [^;]+;/, `ssl_certificate_key ${tlsFile('server.key')};`);
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  const lines = [user, `pid ${folder}/pid;`, 'events {}', 'http {', 'access_log off;', ...paths, site, '}'];
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, lines.join('\n'));
  return spawn('nginx', ['-p', folder, '-e', 'stderr', '-c', file, '-g', 'daemon off;'], { stdio: 'inherit' });
}

/** Starts Caddy with the example, on other ports and with a certificate of the tests. */
function startCaddy(folder: string, ports: Ports): ChildProcess {
  const global = `{\nadmin off\nauto_https disable_redirects\nlog {\nlevel ERROR\n}\n}\n`;
  const tls = `tls ${tlsFile('server.pem')} ${tlsFile('server.key')}`;
  const site = example('Caddyfile', ports).replace(
    /^outreach\.example\.com \{$/m,
    `https://localhost:${ports.https} {\nbind 127.0.0.1\n${tls}`,
  );
  const file = join(folder, 'Caddyfile');
  writeFileSync(file, global + site);
  const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  return spawn('caddy', ['run', '--config', file, '--adapter', 'caddyfile'], { stdio: 'ignore', env });
}

/** Reads the response, because a connection is used again only then. */
async function statusOf(url: string, dispatcher: Agent): Promise<number> {
  const response = await fetch(url, { dispatcher });
  await response.text();
  return response.status;
}

describe.each([
  ['nginx', startNginx],
  ['Caddy', startCaddy],
])('the example for %s', (_, start) => {
  const dispatcher = new Agent({ connect: { ca: pem('ca.pem') } });
  let service: TestService;
  let proxy: ChildProcess;
  let folder: string;
  let url: string;
  let headers: Record<string, string>;

  beforeAll(async () => {
    const https = await freePort();
    url = `https://localhost:${https}`;
    service = await startService({ PUBLIC_URL: url, TRUST_PROXY: '127.0.0.1' });
    const { token } = await service.client();
    headers = { authorization: `Bearer ${token}` };
    folder = mkdtempSync(join(tmpdir(), 'outreach-proxy-'));
    proxy = start(folder, { http: await freePort(), https, service: new URL(service.url).port });
    await eventually(() => fetch(`${url}/`, { dispatcher }));
  });
  afterAll(async () => {
    await dispatcher.destroy();
    proxy.kill('SIGTERM');
    await once(proxy, 'exit');
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('passes requests on, and the links of pages lead through it', async () => {
    const response = await fetch(`${url}/v1/contacts`, { dispatcher, headers });
    const body = (await response.json()) as { links: { first: string } };
    expect([response.status, body.links.first]).toEqual([200, expect.stringContaining(`${url}/v1/contacts?`)]);
  });

  it.each(['/health/live', '/health/ready', '/metrics'])('does not show %s', async (path) => {
    expect(await statusOf(`${service.url}${path}`, dispatcher)).toBe(200);
    expect(await statusOf(`${url}${path}`, dispatcher)).toBe(404);
  });

  it('accepts an import of several megabytes', async () => {
    const rows = Array.from({ length: ROWS }, (__, row) => `customer${row}@example.com,${LONG_NAME}\n`);
    const form = new FormData();
    form.append('file', new Blob(['email,first_name\n', ...rows]), 'contacts.csv');
    const request = new Request(`${url}/v1/contacts/import`, { method: 'POST', body: form });
    const type = request.headers.get('content-type') ?? '';
    const bytes = Buffer.from(await request.arrayBuffer());
    expect(bytes.length).toBeGreaterThan(4 * 2 ** 20);
    const response = await fetch(request.url, {
      dispatcher,
      method: 'POST',
      headers: { ...headers, 'content-type': type },
      body: bytes,
    });
    expect([response.status, await response.json()]).toEqual([
      200,
      { data: expect.objectContaining({ imported: ROWS }) },
    ]);
  });

  it('passes links of 4 KB on, which clicks of recipients have', async () => {
    const response = await fetch(`${url}/t/c/${'a'.repeat(4_000)}`, { dispatcher, redirect: 'manual' });
    expect([response.status, response.headers.get('content-type')]).toEqual([
      404,
      expect.stringContaining('text/html'),
    ]);
  });
});
