import type { ApiClient } from '../support/api-client.js';
import type { Schema } from '../support/api-schemas.js';
import { Given } from '../support/given.js';
import { useSharedService } from '../support/service.js';

const MESSAGE = 'Alex Bernard, alex.bernard@example.com, https://example.com/unsubscribe';

describe('rendering and duplicating templates', () => {
  const service = useSharedService();
  let api: ApiClient;
  let given: Given;
  beforeEach(async () => {
    api = await service.client();
    given = new Given(api, service.database);
  });

  const template = async (fields: object = {}): Promise<Schema<'Template'>> => {
    const { status, data } = await api.post('/templates', { name: 'T', subject: 'S', body: 'B', ...fields });
    expect(status).toBe(201);
    return data;
  };
  /** The preview of a template that has the same text as subject and body. */
  const preview = async (text: string, body?: unknown): Promise<{ subject: string; body: string }> => {
    const { id } = await template({ subject: text, body: text });
    const response = await api.post(`/templates/${id}/preview`, body);
    expect(response.status).toBe(200);
    const { subject, body: rendered } = response.data;
    return { subject, body: rendered };
  };
  const errorFields = async (path: string, body: unknown): Promise<string[]> => {
    const { id } = await template();
    const response = await api.post(`/templates/${id}/${path}`, body);
    expect(response.body).toMatchObject({ error: 'ValidationError', code: 422 });
    expect(response.status).toBe(422);
    return Object.keys(response.body.errors as object);
  };

  describe('POST /templates/:id/preview', () => {
    it('returns the rendered subject and body, and does not change the template', async () => {
      const before = await template({ subject: 'Hi {{ a }}', body: '<p>{{a}}</p>' });
      const { status, body } = await api.post(`/templates/${before.id}/preview`, { variables: { a: 'you' } });
      expect(status).toBe(200);
      expect(body).toEqual({ data: { subject: 'Hi you', body: '<p>you</p>', unknown_variables: ['a'] } });
      expect((await api.get(`/templates/${before.id}`)).data).toEqual(before);
    });

    it.each([undefined, {}, { contact_id: null, variables: null }])(
      'uses sample values if the body is %j',
      async (body) => {
        const shown = await preview('{{ first_name }} {{ favourite_colour }} {{ city | default: "Paris" }}', body);
        expect(shown).toEqual({ subject: 'Camille favourite colour Paris', body: 'Camille favourite colour Paris' });
        expect((await preview('{{ booking_url }}, {{ unsubscribe_url }}', body)).body).toBe(
          'https://example.com/booking, https://example.com/unsubscribe',
        );
      },
    );

    it('uses the fields and custom fields of a contact', async () => {
      const { id: companyId } = await given.group('/companies', { name: 'Ferme & Fils SARL' });
      const contact = await given.contact({
        email: 'Zoe@Example.com',
        first_name: 'Zoé',
        last_name: 'Lefèvre',
        company: 'Ferme & Fils',
        company_id: companyId,
        phone: '+33 1 23',
        job_title: 'Gérante',
        linkedin_url: 'https://linkedin.example/zoe',
        lifecycle_stage: 'lead',
        custom_fields: { city: 'Lyon', seats: 12, vip: true, toString: 'own', 'renewal-date': '2026-12-01', empty: '' },
      });
      const filled = async (text: string) => (await preview(text, { contact_id: contact.id })).subject;
      const { custom_fields: _, tags: __, lists: ___, new_custom_fields: ____, ...plain } = contact;
      for (const [field, value] of Object.entries(plain)) {
        expect([field, await filled(`[{{ ${field} }}]`)]).toEqual([field, `[${value ?? ''}]`]);
      }
      expect(await filled('{{ city }} {{ seats }} {{ vip }} {{ toString }} {{ renewal-date }} [{{ empty }}]')).toBe(
        'Lyon 12 true own 2026-12-01 []',
      );
      expect(await filled('[{{ nothing }}{{ custom_fields }}{{ tags }}]')).toBe('[]');
      expect(await filled('{{ unsubscribed_at | default: "never" }} {{ empty | default: "none" }}')).toBe('never none');
      expect(await filled('{{ sender.name }}, {{ sender.email }}, {{ unsubscribe_url }}')).toBe(MESSAGE);
    });

    it('uses the variables of the request, and the sender and links that every message has', async () => {
      const variables = { a: 'x', b: 0, c: false, d: null, toString: 'own', constructed: -1.5 };
      const text =
        '{{ a }} {{ b }} {{ c }} {{ d | default: "none" }} {{ toString }} {{ constructed }} [{{ first_name }}]';
      expect((await preview(text, { variables })).subject).toBe('x 0 false none own -1.5 []');
      const own = '{{ sender.name }}, {{ sender.email }}, {{ unsubscribe_url }}';
      expect((await preview(own, { variables: {} })).subject).toBe(MESSAGE);
      expect((await preview(own, { variables: { sender: { name: 'Eve' }, unsubscribe_url: 'u' } })).subject).toBe(
        'Eve, alex.bernard@example.com, u',
      );
      expect((await preview(own, { variables: { 'sender.name': 'Eve', 'sender.email': 'e@x.test' } })).subject).toBe(
        'Eve, e@x.test, https://example.com/unsubscribe',
      );
    });

    it('takes variables before the fields of the contact', async () => {
      const { id } = await given.contact({ first_name: 'Zoé', last_name: 'Lefèvre', custom_fields: { city: 'Lyon' } });
      const variables = { first_name: 'Ada', city: null, plan: 'gold' };
      expect(
        await preview('{{ first_name }} {{ last_name }} {{ city | default: "?" }} {{ plan }}', {
          contact_id: id,
          variables,
        }),
      ).toEqual({ subject: 'Ada Lefèvre ? gold', body: 'Ada Lefèvre ? gold' });
    });

    it('escapes values in the body, and removes line breaks from them in the subject', async () => {
      const variables = { a: `<b>"R&D"</b>\r\n'x' {{ b }}` };
      expect(await preview('{{ a }} & <i>', { variables })).toEqual({
        subject: `<b>"R&D"</b>'x' {{ b }} & <i>`,
        body: '&lt;b&gt;&quot;R&amp;D&quot;&lt;/b&gt;\r\n&#39;x&#39; {{ b }} & <i>',
      });
    });

    it.each([
      [{ contact_id: 0 }, ['contact_id']],
      [{ contact_id: '1' }, ['contact_id']],
      [{ contact_id: [1] }, ['contact_id']],
      [{ contact_id: 1.5 }, ['contact_id']],
      [{ contact_id: 2 ** 53 }, ['contact_id']],
      [{ contact_id: Number.MAX_SAFE_INTEGER }, ['contact_id']],
      [{ variables: 'a' }, ['variables']],
      [{ variables: ['a'] }, ['variables']],
      [{ variables: { a: [] } }, ['variables.a']],
      [{ variables: { a: { b: 1 }, b: 'x', c: ['x'] } }, ['variables.a', 'variables.c']],
      [{ variables: { a: 'x'.repeat(5_001) } }, ['variables.a']],
      [{ variables: { a: 'nul\0' } }, ['variables.a']],
      [{ variables: { sender: { name: [] } } }, ['variables.sender.name']],
      [{ variables: Object.fromEntries(Array.from({ length: 501 }, (_, index) => [`v${index}`, 1])) }, ['variables']],
      [{ contact_id: 4_000_000, variables: { a: {} } }, ['contact_id', 'variables.a']],
    ])('returns 422 for %j', async (body, fields) => {
      expect(await errorFields('preview', body)).toEqual(fields);
    });

    it('returns 422 for objects as values of __proto__ and constructor', async () => {
      const { id } = await template();
      for (const name of ['__proto__', 'constructor']) {
        const { status, body } = await api.post(`/templates/${id}/preview`, `{"variables":{"${name}":{"a":1}}}`);
        expect([status, Object.keys(body.errors as object)]).toEqual([422, [`variables.${name}`]]);
      }
    });

    it('returns 422 if the rendered template is longer than a megabyte', async () => {
      const { id } = await template({ body: '{{ a }}'.repeat(500) });
      const { status, body } = await api.post(`/templates/${id}/preview`, { variables: { a: 'x'.repeat(5_000) } });
      expect([status, body.error, body.errors]).toEqual([422, 'HttpError', null]);
    });

    it('returns 422 for a contact of another workspace', async () => {
      const otherWorkspace = await service.client();
      const theirs = await new Given(otherWorkspace, service.database).contact();
      expect(await errorFields('preview', { contact_id: theirs.id })).toEqual(['contact_id']);
    });
  });

  describe('POST /templates/:id/duplicate', () => {
    it('creates another template with the fields of the original', async () => {
      const original = await template({
        name: 'Été 🎉',
        subject: '{{ a }}',
        body: '<p>\r\n {{ b }}</p>',
        category: 'welcome',
        variables: ['zip'],
        is_library: true,
      });
      const { status, body } = await api.post(`/templates/${original.id}/duplicate`);
      expect(status).toBe(201);
      expect(body).toEqual({
        data: {
          ...original,
          id: expect.any(Number),
          name: 'Été 🎉 (Copy)',
          variables: ['zip', 'a', 'b'],
          created_at: expect.stringMatching(/Z$/),
          updated_at: expect.stringMatching(/Z$/),
        },
      });
      expect(body.data.id).not.toBe(original.id);
      expect((await api.get(`/templates/${body.data.id}`)).body).toEqual(body);
      await api.put(`/templates/${body.data.id}`, { subject: 'Other' });
      expect((await api.get(`/templates/${original.id}`)).data).toEqual(original);
    });

    it.each([
      [{}, 'T (Copy)'],
      [{ name: null }, 'T (Copy)'],
      [{ name: '  Second ', id: 1, created_at: '2026-01-01' }, 'Second'],
      [{ name: '🎉'.repeat(255) }, '🎉'.repeat(255)],
    ])('with the body %j creates a template with the name %s', async (body, name) => {
      const { id } = await template();
      expect((await api.post(`/templates/${id}/duplicate`, body)).data).toMatchObject({ name, subject: 'S' });
    });

    it('shortens a long name so that it has 255 characters with " (Copy)"', async () => {
      for (const letter of ['x', '🎉']) {
        const { id } = await template({ name: letter.repeat(250) });
        expect((await api.post(`/templates/${id}/duplicate`)).data.name).toBe(`${letter.repeat(248)} (Copy)`);
      }
      const { id } = await template({ name: 'x'.repeat(248) });
      expect((await api.post(`/templates/${id}/duplicate`)).data.name).toBe(`${'x'.repeat(248)} (Copy)`);
    });

    it.each([[{ name: '' }], [{ name: ' ' }], [{ name: 5 }], [{ name: ['x'] }], [{ name: 'x'.repeat(256) }]])(
      'returns 422 for %j',
      async (body) => {
        expect(await errorFields('duplicate', body)).toEqual(['name']);
        expect((await api.get('/templates')).body.meta.total).toBe(1);
      },
    );
  });
});
