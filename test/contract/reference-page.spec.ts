import { get, type IncomingMessage } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { buffer } from 'node:stream/consumers';
import { useService } from '../support/service.js';

const PUBLIC_URL = 'https://api.example.test/outreach';
const PATHS = ['/docs/renderer.js', '/docs/openapi.json', '/openapi.json', '/llms.txt'];

describe('the page of the API reference', () => {
  const service = useService({ PUBLIC_URL });
  const operationsIn = (document: any): any[] =>
    Object.values(document.paths).flatMap((one: any) => Object.values(one));
  const read = async (path: string): Promise<any> => (await fetch(service.url + path)).json();

  /** Without the decompression of `fetch`. */
  const raw = async (path: string, headers: Record<string, string>) => {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      get(service.url + path, { headers }, resolve).on('error', reject);
    });
    return { headers: response.headers, status: response.statusCode, body: await buffer(response) };
  };

  it('may run only its own scripts, and reach only its own origin', async () => {
    const { headers } = await fetch(`${service.url}/docs`);
    const directives = Object.fromEntries(
      (headers.get('content-security-policy') ?? '').split('; ').map((directive) => {
        const [name, ...sources] = directive.split(' ');
        return [name, sources];
      }),
    );
    expect(directives).toEqual({
      'default-src': ["'none'"],
      'style-src': ["'unsafe-inline'"],
      'script-src': ["'self'", expect.stringMatching(/^'sha256-.+'$/)],
      'connect-src': ["'self'"],
      'img-src': ["'self'", 'data:', 'blob:'],
      'form-action': ["'none'"],
      'base-uri': ["'none'"],
      'frame-ancestors': ["'none'"],
    });
    expect(headers.get('cache-control')).toBe('no-cache');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('has relative addresses, so that it also works below a path of a proxy', async () => {
    const text = await (await fetch(`${service.url}/docs`)).text();
    const addresses = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => String(address));
    expect(addresses.length).toBeGreaterThan(2);
    for (const address of addresses.filter((one) => !one.startsWith('data:'))) {
      expect(address).toMatch(/^[a-z]/);
      expect([address, (await fetch(new URL(address, `${service.url}/docs`))).status]).toEqual([address, 200]);
    }
    const redirect = await fetch(`${service.url}/docs/`, { redirect: 'manual' });
    expect([redirect.status, redirect.headers.get('location')]).toEqual([301, '../docs']);
  });

  it.each(PATHS)('gets %s compressed or not, and not again if it has it', async (path) => {
    const compressed = await raw(path, { 'accept-encoding': 'gzip' });
    const plain = await raw(path, { 'accept-encoding': 'identity' });
    expect([compressed.headers['content-encoding'], plain.headers['content-encoding']]).toEqual(['gzip', undefined]);
    expect(gunzipSync(compressed.body).equals(plain.body)).toBe(true);
    expect(compressed.body.length).toBeLessThan(plain.body.length / 2);
    expect(compressed.headers.etag).not.toBe(plain.headers.etag);
    for (const [encoding, { headers }] of [['gzip', compressed] as const, ['identity', plain] as const]) {
      expect(headers).toMatchObject({ vary: 'Accept-Encoding', 'cache-control': 'no-cache' });
      const known = { 'accept-encoding': encoding, 'if-none-match': headers.etag ?? '' };
      const again = await raw(path, known);
      expect([again.status, again.body.length, again.headers.etag]).toEqual([304, 0, headers.etag]);
      const head = await fetch(service.url + path, { method: 'HEAD', headers: { 'accept-encoding': encoding } });
      expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, headers.etag, '']);
    }
  });

  it('has a sample in TypeScript for each operation, with the public URL, which /openapi.json does without', async () => {
    const [shown, document] = [
      operationsIn(await read('/docs/openapi.json')),
      operationsIn(await read('/openapi.json')),
    ];
    const entries = document.map(({ operationId }) => operationId).filter((id) => !/^patch[A-Z]/.test(id));
    expect(shown.map(({ operationId }) => operationId)).toEqual(entries);
    for (const { operationId, 'x-codeSamples': samples } of shown) {
      expect(samples).toEqual([{ lang: 'TypeScript', label: 'TypeScript', source: expect.any(String) }]);
      expect([operationId, samples[0].source]).toEqual([operationId, expect.stringContaining(PUBLIC_URL)]);
      expect([operationId, samples[0].source]).toEqual([operationId, expect.not.stringMatching(/undefined|\[object/)]);
    }
    expect(document.filter((one) => 'x-codeSamples' in one)).toEqual([]);
  });

  it('shows PUT and PATCH of a record as one entry', async () => {
    const { paths } = await read('/docs/openapi.json');
    expect(Object.keys(paths['/v1/contacts/{id}']).sort()).toEqual(['delete', 'get', 'put']);
    expect(paths['/v1/contacts/{id}'].put.description).toMatch(/^`PATCH` does the same\. /);
    expect(Object.keys((await read('/openapi.json')).paths['/v1/contacts/{id}'])).toContain('patch');
  });

  it('turns the parameters off that a request does not need', async () => {
    const { paths, components } = await read('/docs/openapi.json');
    const declared = [
      ...Object.values<any>(components.parameters),
      ...operationsIn({ paths }).flatMap(({ parameters }) => parameters),
    ].filter((one) => one.name && !one.required);
    expect(declared.length).toBeGreaterThan(100);
    for (const { name, example, examples } of declared) {
      expect([name, example]).toEqual([name, undefined]);
      if (examples) expect([name, examples.default['x-disabled']]).toEqual([name, true]);
    }
  });

  it('takes no other method, and has nothing else below its path', async () => {
    for (const path of ['/docs', ...PATHS]) {
      const { status, headers } = await fetch(service.url + path, { method: 'POST' });
      expect([path, status, headers.get('allow')]).toEqual([path, 405, 'GET, HEAD']);
    }
    for (const path of ['/docs/renderer', '/docs/renderer.js/x', '/docs/..%2fopenapi.json', '/docs/swagger-ui.css']) {
      expect([path, (await fetch(service.url + path)).status]).toEqual([path, 404]);
    }
  });
});
