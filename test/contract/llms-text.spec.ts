import { useService } from '../support/service.js';

const PUBLIC_URL = 'https://api.example.test/outreach';

/** Returns the value that a JSON Pointer (RFC 6901) in a fragment refers to, undefined if there is none. */
function valueAt(document: unknown, fragment: string): any {
  const keys = decodeURI(fragment).split('/').slice(1);
  return keys.reduce<any>((at, key) => at?.[key.replaceAll('~1', '/').replaceAll('~0', '~')], document);
}

describe('/llms.txt', () => {
  const service = useService({ PUBLIC_URL });
  const read = (init?: RequestInit) => fetch(`${service.url}/llms.txt`, init);
  const reference = async (): Promise<any> => (await fetch(`${service.url}/openapi.json`)).json();
  const operationsIn = (items: object): any[] => Object.values(items).flatMap((methods) => Object.values(methods));

  it('is public plain text with a title, a summary and sections', async () => {
    const response = await read();
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
    const [title, empty, summary] = (await response.text()).split('\n');
    expect([title, empty]).toEqual(['# Outreach API', '']);
    expect(summary).toMatch(/^> .+\/v1`\.$/);
  });

  it('links each operation and each event once, by its place in the OpenAPI document', async () => {
    const [text, document] = [await (await read()).text(), await reference()];
    const links = [...text.matchAll(/^- \[[^\]]+\]\((\S+)#(\S+)\): (.+)$/gm)].map(([, url, fragment = '', note]) => ({
      url,
      operation: valueAt(document, fragment),
      note,
    }));
    const all = [...operationsIn(document.paths), ...operationsIn(document.webhooks)];
    expect(all.length).toBeGreaterThan(100);
    expect(links.map(({ operation }) => operation?.operationId).sort()).toEqual(
      all.map(({ operationId }) => operationId).sort(),
    );
    for (const { url, operation, note } of links) {
      expect(url).toBe(`${PUBLIC_URL}/openapi.json`);
      expect(note).toContain(operation.summary);
      if (operation['x-permission']) expect(note).toContain(operation['x-permission']);
    }
  });

  it('has the rules of errors, lists, repeated requests and quotas, as the introduction of the reference has them', async () => {
    const [text, document] = [await (await read()).text(), await reference()];
    for (const title of [
      'Authentication',
      'Requests and responses',
      'Lists',
      'Errors',
      'Repeating requests',
      'Quota',
    ]) {
      const [, section = ''] = document.info.description.split(`## ${title}\n`);
      const [rule] = section.split('\n## ');
      expect([title, rule.trim().length > 50 && text.includes(`**${title}**\n${rule.trimEnd()}`)]).toEqual([
        title,
        true,
      ]);
    }
  });

  it('names no other installation', async () => {
    expect(await (await read()).text()).not.toContain('localhost');
  });

  it('is not sent again to a client that has it', async () => {
    const tag = (await read()).headers.get('etag') ?? '';
    for (const known of [tag, `W/${tag}`, '*', `"other", ${tag}`]) {
      const response = await read({ headers: { 'if-none-match': known } });
      expect([known, response.status, await response.text()]).toEqual([known, 304, '']);
    }
    expect((await read({ headers: { 'if-none-match': '"other"' } })).status).toBe(200);
  });

  it('takes HEAD, and no other method', async () => {
    const head = await read({ method: 'HEAD' });
    expect([head.status, head.headers.has('etag'), await head.text()]).toEqual([200, true, '']);
    const post = await read({ method: 'POST' });
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    for (const path of ['/llms.txt/other', '/llms.tx', '/llms.txt%00']) {
      expect([path, (await fetch(service.url + path)).status]).toEqual([path, 404]);
    }
  });
});
