import { publishCatalogue } from '../../src/marketplace/publishing/publish-catalogue.cross-tenant.js';
import { readCatalogue } from '../../src/marketplace/publishing/read-catalogue.js';
import { InvalidCatalogue, importCatalogue, publishShippedCatalogue } from '../../src/marketplace/index.js';
import { Database } from '../../src/platform/database/index.js';
import type { ApiClient } from '../support/api-client.js';
import type { Schema } from '../support/api-schemas.js';
import { CatalogueFolders, packFile, templateFile } from '../support/catalogue-folder.js';
import { GivenMarketplace } from '../support/given-marketplace.js';
import { useService } from '../support/service.js';

type Files = Readonly<Record<string, string>>;

describe('publishing a catalogue', () => {
  const folders = new CatalogueFolders();
  const service = useService();
  let database: Database;
  let api: ApiClient;
  let given: GivenMarketplace;
  beforeAll(async () => {
    database = service.app.get(Database);
    api = await service.client();
  });
  afterAll(() => folders.remove());
  beforeEach(async () => {
    given = await GivenMarketplace.empty(service.database);
  });

  const ship = async (files: Files): Promise<void> =>
    publishCatalogue(database, await readCatalogue(await folders.with(files)), 'shipped');
  const operate = async (files: Files) => importCatalogue(database, await folders.with(files));

  /** All stored records, published or not. */
  const stored = async (): Promise<Record<string, unknown[]>> => ({
    templates: await service.database.query('SELECT * FROM marketplace_templates ORDER BY slug'),
    packs: await service.database.query('SELECT * FROM marketplace_packs ORDER BY slug'),
    parts: await service.database.query('SELECT * FROM marketplace_pack_templates ORDER BY pack_id, position'),
  });
  const shown = async (path: 'templates' | 'packs'): Promise<Record<string, any>> => {
    const { data } = await api.get(`/marketplace/${path}?per_page=100`);
    return Object.fromEntries(
      data.map((record: Schema<'MarketplaceTemplate' | 'MarketplacePack'>) => [record.slug, record]),
    );
  };
  const membersOf = async (slug: string): Promise<string[]> =>
    (await shown('packs'))[slug].templates.map((template: Schema<'MarketplaceTemplate'>) => template.slug);

  const letter = (slug: string, fields: Record<string, string> = {}, body?: string): Files => ({
    [`${slug}.html`]: templateFile({ slug, ...fields }, body),
  });
  const pack = (slug: string, templates: string[], fields: Record<string, string> = {}): Files => ({
    [`${slug}.yaml`]: packFile(templates, { slug, ...fields }),
  });

  it('publishes the fields of the files in the API', async () => {
    const fields = {
      name: `"O'Hara's {{ x }}"`,
      locale: 'fr',
      category: 'welcome',
      variables: '[a]',
      is_featured: 'true',
    };
    const files = {
      ...letter('one', fields, '<p>😀 \\ "q" {{ b }}</p>'),
      ...letter('two'),
      ...letter('off', { is_published: 'false' }),
    };
    const counts = await operate({ ...files, ...pack('all', ['two', 'off', 'one'], { is_featured: 'true' }) });
    expect(counts).toEqual({ templates: 3, packs: 1 });
    const templates = await shown('templates');
    expect(Object.keys(templates)).toEqual(['one', 'two']);
    expect(templates.one).toEqual({
      id: expect.any(Number),
      slug: 'one',
      name: "O'Hara's {{ x }}",
      description: 'What it is for',
      category: 'welcome',
      locale: 'fr',
      subject: 'Hello',
      body: '<p>😀 \\ "q" {{ b }}</p>',
      variables: ['a', 'b'],
      is_featured: true,
      is_published: true,
      downloads_count: 0,
      created_at: expect.any(String),
      updated_at: templates.one.created_at,
    });
    expect((await shown('packs')).all).toMatchObject({
      name: 'A pack',
      locale: 'en',
      is_featured: true,
      templates_count: 2,
    });
    expect(await membersOf('all')).toEqual(['two', 'one']);
  });

  it.each(['shipped', 'operator'] as const)(
    'writes nothing if the same catalogue is already published (%s)',
    async (origin) => {
      const catalogue = await readCatalogue(
        await folders.with({ ...letter('a'), ...letter('b'), ...pack('p', ['b', 'a']), ...pack('q', ['a']) }),
      );
      await publishCatalogue(database, catalogue, origin);
      const before = await stored();
      await publishCatalogue(database, catalogue, origin);
      expect(await stored()).toEqual(before);
    },
  );

  it('writes nothing if the shipped catalogue is already published, and restores missing records', async () => {
    await publishShippedCatalogue(database);
    const before = await stored();
    expect(before.templates?.length).toBeGreaterThanOrEqual(60);
    await publishShippedCatalogue(database);
    expect(await stored()).toEqual(before);
    await service.database.query(
      `DELETE FROM marketplace_templates WHERE id IN (SELECT template_id FROM marketplace_pack_templates LIMIT 3)`,
    );
    await publishShippedCatalogue(database);
    const after = await stored();
    expect(['templates', 'packs', 'parts'].map((kind) => after[kind]?.length)).toEqual(
      ['templates', 'packs', 'parts'].map((kind) => before[kind]?.length),
    );
  });

  it('updates changed records and no others, and preserves the downloads', async () => {
    await ship({
      ...letter('a'),
      ...letter('b'),
      ...letter('c'),
      ...pack('p', ['a', 'b', 'c']),
      ...pack('q', ['c']),
      ...pack('r', ['b']),
    });
    const [before, packs] = [await shown('templates'), await shown('packs')];
    await api.post(`/marketplace/packs/${packs.p.id}/copy`);
    await ship({
      ...letter('a', { name: 'Another', category: 'welcome', locale: 'fr', variables: '[x]' }, '<p>New</p>'),
      ...letter('b'),
      ...letter('c'),
      ...pack('p', ['c', 'a'], { description: 'Shorter' }),
      ...pack('q', ['c']),
      ...pack('r', ['b', 'c']),
    });
    const after = await shown('templates');
    expect(after.a).toMatchObject({
      id: before.a.id,
      name: 'Another',
      category: 'welcome',
      locale: 'fr',
      body: '<p>New</p>',
    });
    expect(after.a).toMatchObject({ variables: ['x'], downloads_count: 1, created_at: before.a.created_at });
    expect(after.a.updated_at > before.a.updated_at).toBe(true);
    expect(after.b).toEqual({ ...before.b, downloads_count: 1 });
    expect((await shown('packs')).p).toMatchObject({ id: packs.p.id, description: 'Shorter', downloads_count: 1 });
    expect(await membersOf('p')).toEqual(['c', 'a']);
    expect((await shown('packs')).r.updated_at > packs.r.updated_at).toBe(true);
    expect((await shown('packs')).q).toEqual({ ...packs.q, templates: [after.c] });
  });

  it('unpublishes shipped records that the new catalogue does not contain, until it contains them again', async () => {
    const both = { ...letter('a'), ...letter('b'), ...pack('p', ['a', 'b']), ...pack('q', ['a']) };
    await ship(both);
    const { b } = await shown('templates');
    await api.post(`/marketplace/templates/${b.id}/copy`);
    await ship({ ...letter('a'), ...pack('q', ['a']) });
    expect(Object.keys(await shown('templates'))).toEqual(['a']);
    expect(Object.keys(await shown('packs'))).toEqual(['q']);
    expect((await api.get(`/marketplace/templates/${b.id}`)).status).toBe(404);
    expect((await api.post(`/marketplace/templates/${b.id}/copy`)).status).toBe(404);
    await ship(both);
    expect((await shown('templates')).b).toMatchObject({ id: b.id, downloads_count: 1 });
    expect(await membersOf('p')).toEqual(['a', 'b']);
  });

  it('does not change the records of an operator, also if their slug is in the shipped catalogue', async () => {
    const shipped = { ...letter('a'), ...letter('b'), ...pack('p', ['a', 'b']) };
    await ship(shipped);
    const { a } = await shown('templates');
    await api.post(`/marketplace/templates/${a.id}/copy`);
    await operate({ ...letter('a', { name: 'Ours' }), ...letter('own'), ...pack('p', ['own', 'a'], { name: 'Ours' }) });
    expect((await shown('templates')).a).toMatchObject({ id: a.id, name: 'Ours', downloads_count: 1 });
    const before = await stored();
    await ship(shipped);
    expect(await stored()).toEqual(before);
    await ship(letter('b'));
    expect(await stored()).toEqual(before);
    expect(await membersOf('p')).toEqual(['own', 'a']);
    await operate({ ...letter('b', { is_published: 'false' }) });
    await ship(shipped);
    expect(Object.keys(await shown('templates')).sort()).toEqual(['a', 'own']);
  });

  it('accepts packs of templates that were published before or are shipped', async () => {
    await ship(letter('shipped'));
    await operate(letter('before'));
    expect(await operate(pack('p', ['before', 'shipped']))).toEqual({ templates: 0, packs: 1 });
    expect(await membersOf('p')).toEqual(['before', 'shipped']);
  });

  it('publishes nothing if a pack contains a template that does not exist', async () => {
    await ship({ ...letter('a'), ...pack('p', ['a']) });
    const before = await stored();
    const files = {
      ...letter('a', { name: 'New' }),
      ...letter('b'),
      ...pack('p', ['a', 'lost', 'b']),
      ...pack('q', ['gone']),
    };
    const error = await operate(files).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(InvalidCatalogue);
    expect((error as InvalidCatalogue).message.split('\n')).toEqual([
      'p.yaml:7: templates: the template lost does not exist',
      'q.yaml:6: templates: the template gone does not exist',
    ]);
    expect(await stored()).toEqual(before);
  });

  it('runs concurrent imports one after the other, also while templates are copied', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `t-${index}`);
    const files = (name: string): Files => ({
      ...Object.assign({}, ...names.map((slug) => letter(slug, { name }))),
      ...pack('p', name === 'one' ? names : names.toReversed(), { name }),
    });
    await operate(files('one'));
    const { p } = await shown('packs');
    const copies = Array.from({ length: 10 }, () => api.post(`/marketplace/packs/${p.id}/copy`));
    const imports = ['one', 'two', 'one', 'two'].map((name) => operate(files(name)));
    expect((await Promise.all(copies)).map(({ status }) => status)).toEqual(copies.map(() => 201));
    await Promise.all(imports);
    const all = await shown('templates');
    expect(new Set(Object.values(all).map(({ name }) => name)).size).toBe(1);
    expect(Object.values(all).map((each) => each.downloads_count)).toEqual(names.map(() => 10));
    expect(await membersOf('p')).toEqual(all['t-0'].name === 'one' ? names : names.toReversed());
    expect(await given.downloads('packs', p.id)).toBe(10);
  });
});
