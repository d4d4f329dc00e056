import { TEMPLATE_CATEGORIES } from '../../src/templates/index.js';
import type { ApiClient } from '../support/api-client.js';
import { GivenMarketplace } from '../support/given-marketplace.js';
import { useService } from '../support/service.js';

const day = (number: number): string => `2026-01-${String(number).padStart(2, '0')}T09:00:00.000Z`;

/** The records differ in every sortable field. Some values occur twice, so that the order of IDs decides. */
const RECORDS = [
  { name: 'Delta', locale: 'en', is_featured: false, downloads_count: 5, created_at: day(1), updated_at: day(9) },
  { name: 'Alpha', locale: 'fr', is_featured: true, downloads_count: 0, created_at: day(4), updated_at: day(5) },
  { name: 'Beta', locale: 'en', is_featured: false, downloads_count: 70, created_at: day(2), updated_at: day(5) },
  { name: 'Alpha', locale: 'fr', is_featured: true, downloads_count: 8, created_at: day(2), updated_at: day(7) },
  { name: 'Gamma', locale: 'en', is_featured: false, downloads_count: 5, created_at: day(3), updated_at: day(4) },
  { name: 'Beta', locale: 'fr', is_featured: true, downloads_count: 8, created_at: day(6), updated_at: day(8) },
];
const CATEGORIES = ['welcome', 'other', 'follow-up', 'welcome', 'prospection', 'other'];
const SLUGS = ['d', 'a', 'f', 'c', 'b', 'e'];

const BOTH = ['name', 'locale', 'is_featured', 'downloads_count', 'created_at', 'updated_at'];
const LISTS = [
  { path: '/marketplace/templates', sorts: [...BOTH, 'category'], refused: ['slug', 'subject', 'id', 'is_published'] },
  { path: '/marketplace/packs', sorts: [...BOTH, 'slug'], refused: ['category', 'templates_count', 'id'] },
];

interface Listed {
  readonly id: number;
  readonly name: string;
  readonly [field: string]: unknown;
}

const service = useService();
let api: ApiClient;
beforeAll(async () => {
  api = await service.client();
});

describe('GET', () => {
  beforeAll(async () => {
    const given = await GivenMarketplace.empty(service.database);
    for (const [index, fields] of RECORDS.entries()) {
      const slug = SLUGS[index];
      const template = await given.template({ ...fields, slug, category: CATEGORIES[index] });
      await given.pack([template], { ...fields, slug });
    }
    await given.template({ name: 'Hidden', is_published: false, is_featured: true, downloads_count: 1_000 });
    await given.pack([], { name: 'Hidden', is_published: false, is_featured: true, downloads_count: 1_000 });
  });

  const list = async (path: string, query = ''): Promise<Listed[]> => {
    const { status, body } = await api.get(`${path}?per_page=100${query}`);
    if (status !== 200) throw new Error(JSON.stringify(body));
    return body.data;
  };
  const downloads = async (path: string, query = ''): Promise<unknown[]> =>
    (await list(path, query)).map(({ downloads_count, name }) => [name, downloads_count]);

  it.each(LISTS)('$path sorts by featured, then by downloads, then by ID by default', async ({ path }) => {
    const best = [
      ['Alpha', 8],
      ['Beta', 8],
      ['Alpha', 0],
      ['Beta', 70],
      ['Delta', 5],
      ['Gamma', 5],
    ];
    expect(await downloads(path)).toEqual(best);
    expect(await downloads(path, '&direction=asc')).toEqual(best);
    expect(await downloads(path, '&direction=desc')).toEqual(best);
    const pages = await Promise.all(
      [1, 2, 3].map(async (page) => (await api.get(`${path}?per_page=2&page=${page}`)).data),
    );
    expect(pages.flat()).toEqual(await list(path));
  });

  describe.each(LISTS)('$path', ({ path, sorts, refused }) => {
    it.each(sorts)('sorts by %s in both directions, and equal values by ID in the same direction', async (sort) => {
      const records = (await list(path)).sort((one, other) => one.id - other.id);
      const enums: Readonly<Record<string, readonly unknown[]>> = {
        category: TEMPLATE_CATEGORIES,
        locale: ['fr', 'en'],
      };
      const value = (record: Listed) =>
        enums[sort]?.indexOf(record[sort]) ?? (record[sort] as string | number | boolean);
      const compare = (one: Listed, other: Listed): number =>
        Number(value(one) > value(other)) - Number(value(one) < value(other)) || one.id - other.id;
      const rising = records.toSorted(compare).map(({ id }) => id);
      const ids = async (query: string) => (await list(path, `&sort=${sort}${query}`)).map(({ id }) => id);
      expect(await ids('&direction=asc')).toEqual(rising);
      expect(await ids('&direction=desc')).toEqual([...rising].reverse());
      expect(await ids('')).toEqual([...rising].reverse());
    });

    it('filters by locale, by featured and by both', async () => {
      expect((await list(path, '&locale=fr')).map(({ locale }) => locale)).toEqual(['fr', 'fr', 'fr']);
      expect((await list(path, '&locale=en')).map(({ locale }) => locale)).toEqual(['en', 'en', 'en']);
      expect(await downloads(path, '&featured=1')).toEqual([
        ['Alpha', 8],
        ['Beta', 8],
        ['Alpha', 0],
      ]);
      expect(await downloads(path, '&featured=0')).toEqual([
        ['Beta', 70],
        ['Delta', 5],
        ['Gamma', 5],
      ]);
      expect(await downloads(path, '&featured=1&locale=en')).toEqual([]);
      expect(await downloads(path, '&featured=1&locale=fr&search=BET')).toEqual([['Beta', 8]]);
    });

    it.each([
      ['locale=de', 'locale'],
      ['locale=', 'locale'],
      ['locale=FR', 'locale'],
      ['locale=fr&locale=en', 'locale'],
      ['featured=true', 'featured'],
      ['featured=2', 'featured'],
      ['featured=', 'featured'],
      ['page=0', 'page'],
      ['page=x', 'page'],
      ['per_page=0', 'per_page'],
      ['per_page=101', 'per_page'],
      ['direction=up', 'direction'],
      ['search=%00', 'search'],
      ...refused.map((sort) => [`sort=${sort}`, 'sort']),
    ])('returns 422 for ?%s', async (query, field) => {
      const { status, body } = await api.get(`${path}?${query}`);
      expect([status, body.error, Object.keys(body.errors as object)]).toEqual([422, 'ValidationError', [field]]);
    });

    it('returns 15 records per page, with links that repeat the query', async () => {
      const { body } = await api.get(path);
      expect(body.meta).toEqual({ current_page: 1, last_page: 1, per_page: 15, total: 6, count: 6 });
      const query = 'locale=fr&featured=1&sort=name&direction=asc&per_page=1';
      const second = (await api.get(`${path}?${query}&page=2`)).body;
      expect(second.meta).toEqual({ current_page: 2, last_page: 3, per_page: 1, total: 3, count: 1 });
      const page = (number: number) => `http://outreach.test/v1${path}?${query}&page=${number}`;
      expect(second.links).toEqual({ first: page(1), last: page(3), prev: page(1), next: page(3) });
      const past = (await api.get(`${path}?${query}&page=9`)).body;
      expect(past.data).toEqual([]);
      expect(past.meta).toEqual({ current_page: 9, last_page: 3, per_page: 1, total: 3, count: 0 });
      expect(past.links).toEqual({ first: page(1), last: page(3), prev: page(3), next: null });
    });

    it('returns 403 without the permission templates:read, and 401 without a token', async () => {
      const [reader, writer] = await Promise.all([
        service.client(['templates:read']),
        service.client(['templates:write', 'contacts:read']),
      ]);
      const [{ id }] = (await reader.get(path)).data;
      expect((await reader.get(`${path}/${id}`)).status).toBe(200);
      for (const each of [path, `${path}/${id}`]) {
        const refusal = await writer.get(each);
        expect([refusal.status, refusal.body]).toEqual([403, { error: 'Forbidden', message: expect.any(String) }]);
        expect((await fetch(`${service.url}/v1${each}`)).status).toBe(401);
      }
    });

    it('returns 405 for methods that write', async () => {
      const [{ id }] = (await api.get(path)).data;
      for (const [method, each] of [
        ['POST', path],
        ['PUT', `${path}/${id}`],
        ['DELETE', `${path}/${id}`],
        ['GET', `${path}/${id}/copy`],
      ] as const) {
        expect([method, (await api.call(method, each)).status]).toEqual([method, 405]);
      }
    });
  });

  it('/marketplace/templates filters by category', async () => {
    const categories = async (category: string) =>
      (await list('/marketplace/templates', `&category=${category}`)).map((record) => record.category);
    expect(await categories('welcome')).toEqual(['welcome', 'welcome']);
    expect(await categories('follow-up')).toEqual(['follow-up']);
    expect(await categories('newsletter')).toEqual([]);
    for (const wrong of ['spam', '', 'Welcome', 'other&category=welcome']) {
      const { status, body } = await api.get(`/marketplace/templates?category=${wrong}`);
      expect([status, Object.keys(body.errors as object)]).toEqual([422, ['category']]);
    }
    expect((await api.get('/marketplace/packs?category=welcome')).body.errors).toEqual({
      category: [expect.any(String)],
    });
  });
});

describe('the search in the marketplace', () => {
  beforeAll(async () => {
    const given = await GivenMarketplace.empty(service.database);
    const records = [
      { name: 'Summer sale', slug: 'oak', description: 'For shops by the sea', subject: '100% sure' },
      { name: 'Été doux', slug: 'summer-elm', description: 'Plain_text, no layout', subject: 'sale ends' },
      { name: 'Winter', slug: 'ash', description: 'Summer is over: 50 % less', subject: 'Snow' },
    ];
    for (const fields of records) {
      const { subject: _, ...packed } = fields;
      await given.pack([await given.template({ ...fields, body: 'needle', category: 'promotional' })], packed);
    }
  });

  const found = async (path: string, search: string): Promise<string[]> => {
    const { data } = await api.get(`${path}?sort=name&direction=asc&search=${encodeURIComponent(search)}`);
    return data.map(({ slug }: { slug: string }) => slug).sort();
  };

  it.each([
    ['summer', ['ash', 'oak'], ['ash', 'oak', 'summer-elm']],
    ['SUMMER', ['ash', 'oak'], ['ash', 'oak', 'summer-elm']],
    ['sale', ['oak', 'summer-elm'], ['oak']],
    ['summer sale', ['oak'], ['oak']],
    ['  sea\t sum ', ['oak'], ['oak']],
    ['summer nothing', [], []],
    ['ÉTÉ', ['summer-elm'], ['summer-elm']],
    ['%', ['ash', 'oak'], ['ash']],
    ['_', ['summer-elm'], ['summer-elm']],
    ['100%', ['oak'], []],
    ['a_n', [], []],
    ['\\', [], []],
    ['needle', [], []],
    ['promotional', [], []],
    ['elm', [], ['summer-elm']],
    ['', ['ash', 'oak', 'summer-elm'], ['ash', 'oak', 'summer-elm']],
    ['s u m m e r nothing', ['ash', 'oak'], ['ash', 'oak', 'summer-elm']],
  ])('for %j finds the records that contain all terms', async (search, templates, packs) => {
    expect(await found('/marketplace/templates', search)).toEqual(templates);
    expect(await found('/marketplace/packs', search)).toEqual(packs);
  });
});
