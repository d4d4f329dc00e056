import type { ApiClient } from '../support/api-client.js';
import type { Schema } from '../support/api-schemas.js';
import { GivenMarketplace } from '../support/given-marketplace.js';
import { useService } from '../support/service.js';

const AT = '2026-01-15T09:00:00.000Z';
const ODD_BODY =
  '<!DOCTYPE html>\r\n<style>@media (x){.a{b:c}}</style>\t<p>{{first_name}} & {{ city|default:"a" }} 😀</p>\n ';
/** The listed variables of the template, then those in subject and body. */
const ALL_VARIABLES = ['city', 'extra', 'first_name'];
const COPIES = 50;

describe('the marketplace', () => {
  const service = useService();
  let api: ApiClient;
  let given: GivenMarketplace;
  beforeEach(async () => {
    api = await service.client();
    given = await GivenMarketplace.empty(service.database);
  });

  const letter = {
    slug: 'a-letter',
    name: 'A letter',
    description: 'For those who like to write',
    category: 'follow-up',
    locale: 'fr',
    subject: 'Bonjour {{ first_name }}',
    body: ODD_BODY,
    variables: ['city', 'extra'],
    is_featured: true,
    downloads_count: 3_000_000_000,
    created_at: AT,
    updated_at: AT,
  };
  const unknown = [0, -1, 99_999_999, 'x', '1.5', '9007199254740993', '99999999999999999999'];

  const own = async (): Promise<Schema<'Template'>[]> => (await api.get('/templates?per_page=100&direction=asc')).data;

  describe('GET /marketplace/templates and /marketplace/templates/:id', () => {
    it('return the same fields of a template', async () => {
      const id = await given.template(letter);
      const shown = { id, ...letter, variables: ALL_VARIABLES, is_published: true };
      expect((await api.get(`/marketplace/templates/${id}`)).body).toEqual({ data: shown });
      expect((await api.get('/marketplace/templates')).data).toEqual([shown]);
    });

    it('return the same template to every workspace, and only if it is published', async () => {
      const [id, hidden] = [await given.template(), await given.template({ is_published: false })];
      const other = await service.client();
      expect((await other.get('/marketplace/templates')).body).toEqual((await api.get('/marketplace/templates')).body);
      expect((await api.get('/marketplace/templates')).body.meta.total).toBe(1);
      expect((await api.get('/templates')).data).toEqual([]);
      expect((await api.get(`/templates/${id}`)).status).toBe(404);
      for (const each of [hidden, ...unknown]) {
        const { status, body } = await api.get(`/marketplace/templates/${each}`);
        expect([each, status, body.error, body.errors]).toEqual([each, 404, 'HttpError', null]);
      }
    });
  });

  describe('POST /marketplace/templates/:id/copy', () => {
    it('creates an ordinary template with the same bytes and counts the download', async () => {
      const id = await given.template({ ...letter, downloads_count: 4 });
      const { status, body, data } = await api.post(`/marketplace/templates/${id}/copy`);
      expect(status).toBe(201);
      expect(Object.keys(body as object)).toEqual(['data', 'message']);
      expect(body.message).toEqual(expect.stringContaining('A letter'));
      expect(data).toEqual({
        id: expect.any(Number),
        name: 'A letter',
        subject: letter.subject,
        body: ODD_BODY,
        category: 'follow-up',
        variables: ALL_VARIABLES,
        unknown_variables: ['city'],
        is_library: false,
        created_at: expect.stringMatching(/^\d{4}-.*Z$/),
        updated_at: data.created_at,
      });
      expect((await api.get(`/templates/${data.id}`)).data).toEqual(data);
      expect(await own()).toEqual([data]);
      expect((await api.put(`/templates/${data.id}`, { name: 'Mine' })).data.name).toBe('Mine');
      expect((await api.delete(`/templates/${data.id}`)).status).toBe(204);
      const original = (await api.get(`/marketplace/templates/${id}`)).data;
      expect(original).toEqual({ id, ...letter, variables: ALL_VARIABLES, is_published: true, downloads_count: 5 });
    });

    it.each([
      [{ name: '  Mine ' }, 'Mine'],
      [{ name: '😀'.repeat(255) }, '😀'.repeat(255)],
      [{ name: null }, 'A letter'],
      [{}, 'A letter'],
      [{ id: 1, created_at: '2026-01-01' }, 'A letter'],
    ])('accepts %j', async (sent, name) => {
      const id = await given.template(letter);
      const { status, data } = await api.post(`/marketplace/templates/${id}/copy`, sent);
      expect([status, data.name, data.category, data.is_library]).toEqual([201, name, 'follow-up', false]);
    });

    it.each(['category', 'is_library', 'subject'])('returns 422 for %s, which a copy does not set', async (field) => {
      const { status, body } = await api.post(`/marketplace/templates/${await given.template(letter)}/copy`, {
        [field]: 'x',
      });
      expect([status, Object.keys(body.errors as object)]).toEqual([422, [field]]);
    });

    it.each([['x'.repeat(256)], [''], [' \t '], [1], [true], [['Mine']], [{}], ['a\0b']])(
      'returns 422 for the name %j and counts no download',
      async (name) => {
        const id = await given.template();
        const { status, body } = await api.post(`/marketplace/templates/${id}/copy`, { name });
        expect([status, body.error, Object.keys(body.errors as object)]).toEqual([422, 'ValidationError', ['name']]);
        expect(await given.downloads('templates', id)).toBe(0);
        expect(await own()).toEqual([]);
      },
    );

    it('returns 404 for a template that is not published, even if the body is invalid', async () => {
      const hidden = await given.template({ is_published: false });
      for (const id of [hidden, ...unknown]) {
        for (const sent of [undefined, { name: 'x' }, { name: 1 }, []]) {
          const { status, body } = await api.post(`/marketplace/templates/${id}/copy`, sent);
          expect([id, sent, status, body.errors]).toEqual([id, sent, 404, null]);
        }
      }
      expect(await given.downloads('templates', hidden)).toBe(0);
      expect(await own()).toEqual([]);
    });

    it('returns 403 without the permission templates:write, also if the template does not exist', async () => {
      const id = await given.template();
      const [reader, writer] = await Promise.all([
        service.client(['templates:read']),
        service.client(['templates:write']),
      ]);
      for (const each of [id, 99_999_999]) {
        expect((await reader.post(`/marketplace/templates/${each}/copy`, { name: 1 })).status).toBe(403);
      }
      expect((await writer.post(`/marketplace/templates/${id}/copy`)).status).toBe(201);
      expect(await given.downloads('templates', id)).toBe(1);
    });

    it('counts all of many concurrent downloads', async () => {
      const id = await given.template({ downloads_count: 7 });
      const other = await service.client();
      const responses = await Promise.all(
        Array.from({ length: COPIES }, (_, index) =>
          (index % 5 === 0 ? other : api).post(`/marketplace/templates/${id}/copy`, { name: `Copy ${index}` }),
        ),
      );
      expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 201));
      expect(await given.downloads('templates', id)).toBe(7 + COPIES);
      expect(await own()).toHaveLength((COPIES * 4) / 5);
      expect((await other.get('/templates')).body.meta.total).toBe(COPIES / 5);
    });

    it('counts one download for two requests with the same idempotency key', async () => {
      const id = await given.template();
      const headers = { 'idempotency-key': 'once' };
      const first = await api.post(`/marketplace/templates/${id}/copy`, { name: 'Mine' }, headers);
      const second = await api.post(`/marketplace/templates/${id}/copy`, { name: 'Mine' }, headers);
      expect([second.status, second.body]).toEqual([201, first.body]);
      expect(second.headers.get('idempotency-replayed')).toBe('true');
      expect((await api.post(`/marketplace/templates/${id}/copy`, { name: 'Other' }, headers)).status).toBe(409);
      expect(await given.downloads('templates', id)).toBe(1);
      expect(await own()).toHaveLength(1);
    });
  });

  describe('GET /marketplace/packs and /marketplace/packs/:id', () => {
    it('return the same fields of a pack, with its published templates in order', async () => {
      const [last, first] = [await given.template({ name: 'last' }), await given.template(letter)];
      const hidden = await given.template({ is_published: false });
      const fields = { slug: 'a-pack', name: 'A pack', description: 'Two letters', locale: 'fr', is_featured: true };
      const dated = { ...fields, downloads_count: 9, created_at: AT, updated_at: AT };
      const id = await given.pack([first, hidden, last], dated);
      const templates = await Promise.all(
        [first, last].map(async (each) => (await api.get(`/marketplace/templates/${each}`)).data),
      );
      const shown = { id, ...dated, templates_count: 2, templates };
      expect((await api.get(`/marketplace/packs/${id}`)).body).toEqual({ data: shown });
      expect((await api.get('/marketplace/packs')).data).toEqual([shown]);
    });

    it('return a pack only if it is published, also if it has no published templates', async () => {
      const hidden = await given.pack([await given.template()], { is_published: false });
      const empty = await given.pack([await given.template({ is_published: false })]);
      expect((await api.get('/marketplace/packs')).data).toMatchObject([
        { id: empty, templates_count: 0, templates: [] },
      ]);
      for (const each of [hidden, ...unknown]) {
        const { status, body } = await api.get(`/marketplace/packs/${each}`);
        expect([each, status, body.error, body.errors]).toEqual([each, 404, 'HttpError', null]);
      }
    });
  });

  describe('POST /marketplace/packs/:id/copy', () => {
    it('creates ordinary templates of its published templates, in order, and counts a download of each and of the pack', async () => {
      const ids = [
        await given.template({ name: 'c' }),
        await given.template(letter),
        await given.template({ name: 'a' }),
      ];
      const hidden = await given.template({ is_published: false });
      const bystander = await given.template();
      const id = await given.pack([ids[1], hidden, ids[2], ids[0]] as number[]);
      const before = (await api.get(`/marketplace/packs/${id}`)).data;
      const { status, body, data } = await api.post(`/marketplace/packs/${id}/copy`);
      expect(status).toBe(201);
      expect(body).toEqual({ data: expect.any(Array), message: expect.any(String) });
      expect(data.map(({ name }: { name: string }) => name)).toEqual(['A letter', 'a', 'c']);
      expect(data[0]).toEqual((await api.get(`/templates/${data[0].id}`)).data);
      expect(data[0]).toMatchObject({ body: ODD_BODY, category: 'follow-up', subject: letter.subject });
      expect(await own()).toEqual(data);
      const after = (await api.get(`/marketplace/packs/${id}`)).data;
      const counted = (record: Schema<'MarketplaceTemplate'>) => ({
        ...record,
        downloads_count: record.downloads_count + 1,
      });
      expect(after).toEqual(counted({ ...before, templates: before.templates.map(counted) }));
      expect(await given.downloads('templates', hidden)).toBe(0);
      expect(await given.downloads('templates', bystander)).toBe(0);
    });

    it('returns 201 without templates if no template of the pack is published', async () => {
      const id = await given.pack([await given.template({ is_published: false })]);
      const { status, body } = await api.post(`/marketplace/packs/${id}/copy`);
      expect([status, body]).toEqual([201, { data: [], message: expect.any(String) }]);
      expect(await given.downloads('packs', id)).toBe(1);
    });

    it('returns 404 for a pack that is not published', async () => {
      const template = await given.template();
      const hidden = await given.pack([template], { is_published: false });
      for (const id of [hidden, ...unknown]) {
        expect([id, (await api.post(`/marketplace/packs/${id}/copy`)).status]).toEqual([id, 404]);
      }
      expect([await given.downloads('packs', hidden), await given.downloads('templates', template)]).toEqual([0, 0]);
      expect(await own()).toEqual([]);
    });

    it('returns 403 without the permission templates:write', async () => {
      const id = await given.pack([await given.template()]);
      expect((await (await service.client(['templates:read'])).post(`/marketplace/packs/${id}/copy`)).status).toBe(403);
      expect((await (await service.client(['templates:write'])).post(`/marketplace/packs/${id}/copy`)).status).toBe(
        201,
      );
    });

    it('counts one download for two requests with the same idempotency key', async () => {
      const id = await given.pack([await given.template()]);
      const headers = { 'idempotency-key': 'once' };
      const first = await api.post(`/marketplace/packs/${id}/copy`, undefined, headers);
      expect((await api.post(`/marketplace/packs/${id}/copy`, undefined, headers)).body).toEqual(first.body);
      expect(await given.downloads('packs', id)).toBe(1);
    });

    it('counts all of many concurrent downloads, also with downloads of the same templates alone and in another pack', async () => {
      const [one, two, three] = [await given.template(), await given.template(), await given.template()];
      const forwards = await given.pack([one, two, three]);
      const backwards = await given.pack([three, two, one]);
      const paths = [`packs/${forwards}`, `packs/${backwards}`, `templates/${two}`].flatMap((path) =>
        Array<string>(20).fill(path),
      );
      const responses = await Promise.all(
        paths.map((_, index) => api.post(`/marketplace/${paths[(index * 7) % paths.length]}/copy`)),
      );
      expect(responses.map(({ status }) => status)).toEqual(paths.map(() => 201));
      expect([await given.downloads('packs', forwards), await given.downloads('packs', backwards)]).toEqual([20, 20]);
      const counts = await Promise.all([one, two, three].map((id) => given.downloads('templates', id)));
      expect(counts).toEqual([40, 60, 40]);
      expect((await api.get('/templates')).body.meta.total).toBe(140);
    });
  });
});
