import { ExternalIdTaken } from '../../src/contacts/contact.entity.js';
import { sql } from '../../src/platform/database/index.js';
import { DomainEvents } from '../../src/platform/events/index.js';
import type { WorkspaceScope } from '../../src/platform/tenancy/index.js';
import type { ApiClient } from '../support/api-client.js';
import { httpError } from '../support/expected.js';
import { useSharedService } from '../support/service.js';

const INSTANT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const notFound = httpError(404);
const welcome = { name: 'Welcome', subject: 'Hello {{ first_name }}', body: '<p>Dear {{first_name}}, {{ city }}</p>' };

describe('/templates', () => {
  const service = useSharedService();
  let api: ApiClient;
  beforeEach(async () => {
    api = await service.client();
  });

  const given = async (values: object = {}) => {
    const { status, data } = await api.post('/templates', { ...welcome, ...values });
    expect(status).toBe(201);
    return data;
  };
  const validationErrors = async (call: ReturnType<ApiClient['get']>): Promise<Record<string, string[]>> => {
    const { status, body } = await call;
    expect(body).toMatchObject({ error: 'ValidationError', message: expect.any(String), code: 422 });
    expect(status).toBe(422);
    return body.errors;
  };
  const namesOf = async (query = ''): Promise<string[]> =>
    (await api.get(`/templates?per_page=100${query}`)).data.map(({ name }: { name: string }) => name);

  /** Invalid values of fields of create and update, with the field that the error names. */
  const invalid: [object, string][] = [
    [{ name: null }, 'name'],
    [{ name: '  ' }, 'name'],
    [{ name: 5 }, 'name'],
    [{ name: ['Welcome'] }, 'name'],
    [{ name: 'é'.repeat(256) }, 'name'],
    [{ name: 'nul\0' }, 'name'],
    [{ name: 'half \ud83d' }, 'name'],
    [{ subject: null }, 'subject'],
    [{ subject: '' }, 'subject'],
    [{ subject: { text: 'x' } }, 'subject'],
    [{ subject: 's'.repeat(501) }, 'subject'],
    [{ subject: 'Hello {{ first_name' }, 'subject'],
    [{ body: null }, 'body'],
    [{ body: '\n\t' }, 'body'],
    [{ body: true }, 'body'],
    [{ body: 'Hello {{ first name }}' }, 'body'],
    [{ category: 'spam' }, 'category'],
    [{ category: 'follow_up' }, 'category'],
    [{ category: '' }, 'category'],
    [{ category: 1 }, 'category'],
    [{ category: ['other'] }, 'category'],
    [{ variables: 'first_name' }, 'variables'],
    [{ variables: { 0: 'first_name' } }, 'variables'],
    [{ variables: Array.from({ length: 501 }, (_, index) => `name_${index}`) }, 'variables'],
    [{ variables: ['city', 7] }, 'variables.1'],
    [{ variables: [null] }, 'variables.0'],
    [{ variables: ['city', ['zip']] }, 'variables.1'],
    [{ variables: [' '] }, 'variables.0'],
    [{ variables: ['city', 'n'.repeat(256)] }, 'variables.1'],
    [{ is_library: 'true' }, 'is_library'],
    [{ is_library: 1 }, 'is_library'],
    [{ is_library: [] }, 'is_library'],
  ];

  describe('POST /templates', () => {
    it('returns 201 with all fields and their defaults', async () => {
      const { status, body } = await api.post('/templates', welcome);
      expect(status).toBe(201);
      expect(body).toEqual({
        data: {
          id: expect.any(Number),
          ...welcome,
          category: 'other',
          variables: ['first_name', 'city'],
          unknown_variables: ['city'],
          is_library: false,
          created_at: INSTANT,
          updated_at: INSTANT,
        },
      });
      expect((await api.get(`/templates/${body.data.id}`)).body).toEqual(body);
    });

    it('stores the values of the request, trimmed, and the default of an optional field that is null', async () => {
      const values = { ...welcome, name: ' Été 🎉 ', category: 'follow-up', variables: ['zip'], is_library: true };
      expect((await api.post('/templates', values)).data).toMatchObject({
        name: 'Été 🎉',
        category: 'follow-up',
        is_library: true,
      });
      const cleared = { ...welcome, category: null, variables: null, is_library: null, id: 3, created_at: [{}] };
      expect((await api.post('/templates', cleared)).data).toMatchObject({
        category: 'other',
        variables: ['first_name', 'city'],
        is_library: false,
      });
    });

    it.each(['prospection', 'follow-up', 'welcome', 'newsletter', 'promotional', 'transactional', 'other'])(
      'accepts the category %s',
      async (category) => {
        expect((await given({ category })).category).toBe(category);
      },
    );

    it('measures lengths in code points', async () => {
      const { name, subject } = await given({ name: '🎉'.repeat(255), subject: '🎉'.repeat(500) });
      expect([[...name].length, [...subject].length]).toEqual([255, 500]);
      await given({ variables: ['🎉'.repeat(255)] });
    });

    it('accepts the same name twice', async () => {
      await given();
      await given();
      expect(await namesOf()).toEqual(['Welcome', 'Welcome']);
    });

    it('returns 422 that names every missing field', async () => {
      expect(Object.keys(await validationErrors(api.post('/templates')))).toEqual(['name', 'subject', 'body']);
      expect(Object.keys(await validationErrors(api.post('/templates', [])))).toEqual(['body']);
    });

    it.each(invalid)('returns 422 for %j', async (values, field) => {
      expect(Object.keys(await validationErrors(api.post('/templates', { ...welcome, ...values })))).toEqual([field]);
      expect(await namesOf()).toEqual([]);
    });
  });

  describe('PUT /templates/:id', () => {
    it('changes the fields of the request and no others', async () => {
      const before = await given({ category: 'welcome', variables: ['zip'], is_library: true });
      const { status, data } = await api.put(`/templates/${before.id}`, { subject: 'Now {{ company }}' });
      expect(status).toBe(200);
      expect(data).toEqual({
        ...before,
        subject: 'Now {{ company }}',
        variables: ['zip', 'company', 'first_name', 'city'],
        unknown_variables: ['city'],
        updated_at: INSTANT,
      });
      expect((await api.get(`/templates/${before.id}`)).data).toEqual(data);
      const all = {
        name: 'N',
        subject: 'S',
        body: 'B',
        category: 'newsletter',
        variables: ['b', 'a'],
        is_library: false,
      };
      expect((await api.put(`/templates/${before.id}`, all)).data).toMatchObject(all);
    });

    it('resets optional fields that are null to their defaults', async () => {
      const { id } = await given({ category: 'welcome', variables: ['zip'], is_library: true });
      const { data } = await api.put(`/templates/${id}`, { category: null, variables: null, is_library: null });
      expect(data).toMatchObject({ category: 'other', variables: ['first_name', 'city'], is_library: false });
    });

    it('changes nothing if the body has no field that it can set', async () => {
      const before = await given();
      for (const body of [undefined, {}, { id: 1 }]) {
        const { status, data } = await api.put(`/templates/${before.id}`, body);
        expect([status, data]).toEqual([200, before]);
      }
    });

    it.each(invalid)('returns 422 for %j and changes nothing', async (values, field) => {
      const before = await given();
      expect(Object.keys(await validationErrors(api.put(`/templates/${before.id}`, values)))).toEqual([field]);
      expect((await api.get(`/templates/${before.id}`)).data).toEqual(before);
    });
  });

  describe('DELETE /templates/:id', () => {
    it('returns 204, then 404', async () => {
      const { id } = await given();
      const { status, body } = await api.delete(`/templates/${id}`);
      expect([status, body]).toEqual([204, '']);
      expect((await api.delete(`/templates/${id}`)).body).toEqual(notFound);
      expect((await api.get(`/templates/${id}`)).body).toEqual(notFound);
    });

    it('returns 204 to one of several concurrent requests and 404 to the others', async () => {
      const { id } = await given();
      const responses = await Promise.all(Array.from({ length: 5 }, () => api.delete(`/templates/${id}`)));
      expect(responses.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404, 404]);
    });

    it('lets listeners remove their references first, in the same transaction', async () => {
      const { id } = await given();
      const stepId = await stepOf(id);
      const templateOfStep = async (): Promise<unknown> =>
        (await service.database.query('SELECT template_id FROM campaign_steps WHERE id = $1', [stepId]))[0]
          ?.template_id;
      const listener = jest.spyOn(service.app.get(DomainEvents), 'publish');
      listener.mockImplementationOnce(async (tx) => {
        await detachTemplate(tx, id);
        throw new ExternalIdTaken();
      });
      expect((await api.delete(`/templates/${id}`)).status).toBe(409);
      expect(await templateOfStep()).toBe(id);
      listener.mockImplementationOnce((tx) => detachTemplate(tx, id));
      expect((await api.delete(`/templates/${id}`)).status).toBe(204);
      expect(await templateOfStep()).toBeNull();
      expect(listener.mock.calls.map(([, name, payload]) => [name, payload])).toEqual(
        Array(2).fill(['template.deleted', { template_id: id }]),
      );
      listener.mockRestore();
    });

    /** The listener of campaigns. */
    const detachTemplate = async (tx: WorkspaceScope, id: number): Promise<void> => {
      await tx.execute(
        sql`UPDATE campaign_steps SET template_id = NULL WHERE workspace_id = ${tx} AND template_id = ${id}`,
      );
    };
    const stepOf = async (templateId: number): Promise<unknown> => {
      const [step] = await service.database.query<{ id: number }>(
        `WITH campaign AS (INSERT INTO campaigns (workspace_id, name) VALUES ($1, 'C') RETURNING workspace_id, id)
         INSERT INTO campaign_steps (workspace_id, campaign_id, position, template_id, subject, body)
         SELECT workspace_id, id, 1, $2, 'S', 'B' FROM campaign RETURNING id`,
        [api.workspaceId, templateId],
      );
      return step?.id;
    };
  });

  it.each(['0', '-1', 'x', '1e3', '9007199254740993', '99999999999999999999', '%00'])(
    'returns 404 for the ID %s, also if the body is invalid',
    async (id) => {
      for (const [method, path] of [
        ['GET', ''],
        ['PUT', ''],
        ['DELETE', ''],
        ['GET', '/variables'],
        ['POST', '/preview'],
        ['POST', '/duplicate'],
      ] as const) {
        const { status, body } = await api.call(
          method,
          `/templates/${id}${path}`,
          ['PUT', 'POST'].includes(method) ? { name: 1, contact_id: 'x' } : undefined,
        );
        expect([method, status]).toEqual([method, 404]);
        expect(body).toEqual(notFound);
      }
    },
  );

  it('returns 404 for templates of another workspace, also if the body is invalid', async () => {
    const { data: theirs } = await (await service.client()).post('/templates', welcome);
    expect((await api.get(`/templates/${theirs.id}`)).status).toBe(404);
    expect((await api.get(`/templates/${theirs.id}/variables`)).status).toBe(404);
    expect((await api.put(`/templates/${theirs.id}`, { name: 5 })).status).toBe(404);
    expect((await api.post(`/templates/${theirs.id}/preview`, { contact_id: 'x' })).status).toBe(404);
    expect((await api.post(`/templates/${theirs.id}/duplicate`, { name: 5 })).status).toBe(404);
    expect((await api.delete(`/templates/${theirs.id}`)).status).toBe(404);
  });

  it('returns 403 to a token without the required permission', async () => {
    const reader = await service.client(['templates:read']);
    const writer = await service.client(['templates:write']);
    for (const [client, method, path] of [
      [writer, 'GET', ''],
      [writer, 'GET', '/1'],
      [writer, 'GET', '/1/variables'],
      [writer, 'POST', '/1/preview'],
      [reader, 'POST', ''],
      [reader, 'PUT', '/1'],
      [reader, 'DELETE', '/1'],
      [reader, 'POST', '/1/duplicate'],
    ] as const) {
      const { status, body } = await client.call(method, `/templates${path}`);
      expect([method, path, status]).toEqual([method, path, 403]);
      expect(body).toEqual({ error: 'Forbidden', message: expect.any(String) });
    }
    expect((await reader.get('/templates')).status).toBe(200);
    expect((await writer.post('/templates', welcome)).status).toBe(201);
  });
});
