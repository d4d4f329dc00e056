import type { ApiClient } from '../support/api-client.js';
import { useService } from '../support/service.js';
import { maxStallOf } from './event-loop.js';

/** How much longer than ordinary input of the same size an attack may occupy the event loop; 16 s were 1,000 times as long. */
const MAX_STALL_RATIO = 40;
const MEGABYTE = 1_048_576;
const MAX_ERRORS = 101;

const object = (keys: number, value: unknown): object =>
  Object.fromEntries(Array.from({ length: keys }, (_, index) => [`k${index}`, value]));
const repeated = (count: number, value: unknown): unknown[] => Array.from({ length: count }, () => value);

/** Bodies of at most 1 MB, by the path that gets them. */
const ATTACKS: readonly (readonly [string, string, object])[] = [
  ['80,000 unknown fields', '/contacts', object(80_000, 1)],
  ['80,000 custom fields', '/contacts', { email: 'a@example.com', custom_fields: object(80_000, 1) }],
  ['200,000 wrong IDs', '/contacts', { email: 'a@example.com', tags: repeated(200_000, 'x') }],
  ['200,000 wrong steps', '/campaigns', { name: 'x', steps: repeated(200_000, 7) }],
  ['60,000 empty conditions', '/segments', { name: 'x', match_type: 'all', conditions: repeated(60_000, {}) }],
  ['200,000 addresses', '/blacklist/bulk-create', { emails: repeated(200_000, 'x') }],
  ['100,000 permissions', '/tokens', { name: 'x', permissions: repeated(100_000, 'x') }],
];

const nested = (levels: number, start: string, end: string): string => start.repeat(levels) + end.repeat(levels);

/** Bodies that take long to parse. */
const STRUCTURES: readonly (readonly [string, string])[] = [
  ['500,000 nested arrays', `{"custom_fields":${nested(500_000, '[', ']')}}`],
  ['500,000 nested arrays and nothing else', nested(500_000, '[', ']')],
  ['150,000 nested objects', nested(150_000, '{"a":', '}').replace(':}', ':1}')],
  ['300,000 empty objects', `{"tags":[${'{},'.repeat(300_000)}{}]}`],
  ['340,000 empty arrays', `{"tags":[${'[],'.repeat(340_000)}[]]}`],
  ['arrays of 20 levels', `{"tags":[${`${nested(17, '[', ']')},`.repeat(28_000)}1]}`],
];
describe('a body of one megabyte', () => {
  const service = useService({ LOG_LEVEL: 'fatal' });
  let api: ApiClient;
  let ordinary: number;

  const stallOf = async (path: string, body: string): Promise<number> => maxStallOf(() => api.post(path, body));

  beforeAll(async () => {
    api = await service.client();
    const control = JSON.stringify({ email: 'a@example.com', first_name: 'x'.repeat(MEGABYTE - 100) });
    expect((await api.post('/contacts', control)).status).toBe(422);
    ordinary = Math.max(await stallOf('/contacts', control), await stallOf('/contacts', control));
  });

  it.each(ATTACKS)('with %s gets a small 422 and does not occupy the process', async (_, path, input) => {
    const body = JSON.stringify(input);
    expect(body.length).toBeLessThan(MEGABYTE);
    const stall = await stallOf(path, body);
    const response = await api.post(path, body);
    expect(response.status).toBe(422);
    expect(Object.keys(response.body.errors as object).length).toBeLessThanOrEqual(MAX_ERRORS);
    expect(JSON.stringify(response.body).length).toBeLessThan(body.length / 10);
    expect(stall / ordinary).toBeLessThan(MAX_STALL_RATIO);
  });

  it.each(STRUCTURES)('with %s is refused before it is parsed', async (_, body) => {
    expect(body.length).toBeLessThan(MEGABYTE);
    const response = await api.post('/contacts', body);
    expect([response.status, Object.keys(response.body.errors as object).length]).toEqual([422, 1]);
    // A parser would find that the end is missing.
    expect((await api.post('/contacts', body.slice(0, -1))).body).toEqual(response.body);
  });

  it('of arrays in UTF-16 gets the same 422', async () => {
    const body = Buffer.from(`{"∢":${nested(200_000, '[', ']')}}`, 'utf16le');
    const headers = { 'content-type': 'application/json; charset=utf-16le' };
    const response = await api.call('POST', '/contacts', body, headers);
    expect([response.status, Object.keys(response.body.errors as object)]).toEqual([422, [`∢${'.0'.repeat(19)}`]]);
  });
});
