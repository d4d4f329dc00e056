import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, fetch, request } from 'undici';
import { parse } from 'yaml';
import { MessageLinks } from '../../src/sending/index.js';
import { freePort } from '../support/command-line.js';
import { eventually } from '../support/eventually.js';
import { startService, type TestService } from '../support/service.js';
import { pem, tlsFile } from '../support/tls-files.js';

const EXAMPLES = join(import.meta.dirname, '../../examples/deployment');
const COMPOSE = join(import.meta.dirname, '../../docker/compose.yaml');
const TRACKING_DOMAIN = 'links.sender.example';
const ROWS = 20_000;
const LONG_NAME = 'Ada '.repeat(60);

interface Compose {
  readonly configs: { readonly caddyfile: { readonly content: string } };
}
interface Ports {
  readonly http: string;
  readonly https: string;
  readonly service: string;
}

const example = (file: string, { service }: Ports): string =>
  readFileSync(join(EXAMPLES, file), 'utf8').replaceAll('127.0.0.1:3000', `127.0.0.1:${service}`);

/** Whether it is 1.25.1 or newer. Before, HTTP/2 was a parameter of `listen`, as the example says. */
function hasHttp2Directive(): boolean {
  const { stderr } = spawnSync('nginx', ['-v'], { encoding: 'utf8' });
  const [, minor = 0, patch = 0] = /nginx\/1\.(\d+)\.(\d+)/.exec(stderr)?.map(Number) ?? [];
  return minor > 25 || (minor === 25 && patch >= 1);
}

/** Starts nginx with the example, on other ports and with a certificate of the tests. */
function startNginx(folder: string, ports: Ports): ChildProcess {
  const site = example('nginx.conf', ports)
    .replaceAll('outreach.example.com;', 'localhost;')
    .replace('listen 80;', `listen 127.0.0.1:${ports.http};`)
    .replace('listen 443 ', `listen 127.0.0.1:${ports.https} `)
    .replaceAll('/var/www/letsencrypt', folder)
    .replace('http2 on;', hasHttp2Directive() ? 'http2 on;' : '')
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

/** The address of a site of Caddy, on another port and with a certificate of the tests. */
const caddySite = ({ https }: Ports): string =>
  `https://localhost:${https} {\nbind 127.0.0.1\ntls ${tlsFile('server.pem')} ${tlsFile('server.key')}`;

/** Starts Caddy with the example. */
const startCaddy = (folder: string, ports: Ports): ChildProcess =>
  runCaddy(
    folder,
    example('Caddyfile', ports)
      .replace(/^outreach\.example\.com \{$/m, caddySite(ports))
      .replace(/^https:\/\/ \{\n\ttls \{$/m, `https://:${ports.https} {\nbind 127.0.0.1\ntls internal {`),
  );

/** Starts Caddy with the configuration in the compose file, whose processes have other addresses here. */
function startComposeProxy(folder: string, ports: Ports): ChildProcess {
  const { configs } = parse(readFileSync(COMPOSE, 'utf8'), { merge: true }) as Compose;
  const site = configs.caddyfile.content
    .replace(/^:3000$/m, caddySite(ports))
    .replace(/dynamic a \{[^}]*\}/, `to 127.0.0.1:${ports.service}`);
  return runCaddy(folder, `${site}\n}\n`);
}

function runCaddy(folder: string, site: string): ChildProcess {
  const options = 'admin off\nskip_install_trust\nauto_https disable_redirects\nlog {\nlevel ERROR\n}\n';
  const hasOptions = /^\{$/m.test(site);
  const file = join(folder, 'Caddyfile');
  writeFileSync(file, hasOptions ? site.replace(/^\{$/m, `{\n${options}`) : `{\n${options}}\n${site}`);
  const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  return spawn('caddy', ['run', '--config', file, '--adapter', 'caddyfile'], { stdio: 'ignore', env });
}

/** Reads the response, because a connection is used again only then. */
async function statusOf(url: string, dispatcher: Agent, headers: Record<string, string> = {}): Promise<number> {
  // `fetch` does not send another `Host` than that of the address.
  const { statusCode, body } = await request(url, { dispatcher, headers });
  await body.dump();
  return statusCode;
}

const HSTS = 'max-age=31536000';

describe.each([
  ['example for nginx', startNginx, HSTS],
  ['example for Caddy', startCaddy, HSTS],
  // The port of the compose file has no TLS.
  ['proxy of the compose file', startComposeProxy, null],
])('the %s', (_, start, hsts) => {
  const dispatcher = new Agent({ connect: { ca: pem('ca.pem') } });
  let service: TestService;
  let proxy: ChildProcess;
  let folder: string;
  let url: string;
  let headers: Record<string, string>;
  let link: string;
  let http: string;

  beforeAll(async () => {
    const https = await freePort();
    url = `https://localhost:${https}`;
    service = await startService({ PUBLIC_URL: url, TRUST_PROXY: '127.0.0.1' });
    const { token, workspaceId } = await service.client();
    await service.database.query(
      'UPDATE workspaces SET tracking_domain = $1, tracking_domain_verified_at = now() WHERE id = $2',
      [TRACKING_DOMAIN, workspaceId],
    );
    const links = service.app.get(MessageLinks);
    link = new URL(links.openUrl({ workspace_id: workspaceId, message_id: 1 })).pathname;
    headers = { authorization: `Bearer ${token}` };
    folder = mkdtempSync(join(tmpdir(), 'outreach-proxy-'));
    http = await freePort();
    proxy = start(folder, { http, https, service: new URL(service.url).port });
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

  it('tells browsers whether they may use HTTP again, also in its own responses', async () => {
    for (const path of ['/docs', '/metrics', '/nowhere']) {
      const response = await fetch(`${url}${path}`, { dispatcher });
      await response.text();
      expect([path, response.headers.get('strict-transport-security')]).toEqual([path, hsts]);
    }
  });

  it.each(['/health/live', '/health/ready', '/health/work', '/health/ready/', '/metrics', '/metrics/', '/metrics?x'])(
    'does not show %s',
    async (path) => {
      expect(await statusOf(`${service.url}${path}`, dispatcher)).toBe(200);
      expect(await statusOf(`${url}${path}`, dispatcher)).toBe(404);
    },
  );

  it('shows the tracking domains only to a proxy in front', async () => {
    for (const path of ['/tracking-domains/allowed', '/tracking-domains/allowed/']) {
      const query = `?domain=${TRACKING_DOMAIN}`;
      expect(await statusOf(`${service.url}${path}${query}`, dispatcher)).toBe(200);
      expect(await statusOf(`${url}${path}${query}`, dispatcher)).toBe(start === startComposeProxy ? 200 : 404);
    }
  });

  if (start === startCaddy) {
    it('gets a certificate for the tracking domain of a workspace, and for no other name', async () => {
      // The certificates are of Caddy's own authority, which only Caddy trusts.
      const statusAt = async (servername: string, path: string): Promise<number> => {
        const client = new Agent({ connect: { servername, rejectUnauthorized: false } });
        return statusOf(`${url}${path}`, client, { host: servername }).finally(() => client.destroy());
      };
      expect(await statusAt(TRACKING_DOMAIN, link)).toBe(200);
      expect(await statusAt(TRACKING_DOMAIN, '/docs')).toBe(404);
      await expect(statusAt('other.sender.example', link)).rejects.toThrow();
    });
  }

  if (start === startNginx) {
    it('shows the answers of certbot without TLS, and redirects everything else', async () => {
      mkdirSync(join(folder, '.well-known/acme-challenge'), { recursive: true });
      writeFileSync(join(folder, '.well-known/acme-challenge/token'), 'the answer');
      const get = (path: string) => fetch(`http://127.0.0.1:${http}${path}`, { redirect: 'manual' });
      expect(await (await get('/.well-known/acme-challenge/token')).text()).toBe('the answer');
      const redirect = await get('/docs');
      expect([redirect.status, redirect.headers.get('location')]).toEqual([301, 'https://127.0.0.1/docs']);
    });
  }

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
