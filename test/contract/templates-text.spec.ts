import type { ApiClient } from '../support/api-client.js';
import type { Schema } from '../support/api-schemas.js';
import { useSharedService } from '../support/service.js';

const welcome = { name: 'Welcome', subject: 'Hello {{ first_name }}', body: '<p>Dear {{first_name}}, {{ city }}</p>' };

describe('subject, body and variables of a template', () => {
  const service = useSharedService();
  let api: ApiClient;
  beforeAll(async () => {
    api = await service.client();
  });

  const given = async (values: object): Promise<Schema<'Template'>> => {
    const { status, data } = await api.post('/templates', { ...welcome, ...values });
    expect(status).toBe(201);
    return data;
  };
  const validationErrors = async (call: ReturnType<ApiClient['get']>): Promise<Record<string, string[]>> => {
    const { status, body } = await call;
    expect([status, body.error]).toEqual([422, 'ValidationError']);
    return body.errors;
  };

  it('lists the variables of the request, in order, then those in subject and body, each once', async () => {
    const { variables, id } = await given({
      variables: ['zip', 'first_name', ' zip ', 'company'],
      subject: '{{ company }} and {{ title | default: "you" }}',
      body: '{{ sender.name }} {{ first_name }} {{title}} {{ unsubscribe_url }} {{ nice-key_1 }}',
    });
    const expected = ['zip', 'first_name', 'company', 'title', 'sender.name', 'unsubscribe_url', 'nice-key_1'];
    expect(variables).toEqual(expected);
    const { status, body } = await api.get(`/templates/${id}/variables`);
    expect(status).toBe(200);
    expect(body).toEqual({ data: { variables: expected } });
  });

  it('accepts a body of 256 KB with 500 variables, and returns the same bytes', async () => {
    const body = `<p>${'é{{ first_name }} '.repeat(500)}</p>`;
    const largest = body + 'x'.repeat(256 * 1024 - Buffer.byteLength(body));
    expect((await given({ body: largest })).body).toBe(largest);
  });

  it.each([
    ['is larger than 256 KB', 'é'.repeat(128 * 1024 + 1), 'at most 256 KB'],
    ['has more than 500 variables', '{{ a }}'.repeat(501), 'at most 500 variables'],
    ['has a tag', '<p>\n{% if a %}</p>', 'line 2, column 1: "{%" is not supported'],
    ['has an unknown filter', '{{ a | upcase }}', 'only "default" and "url" can follow "|"'],
  ])('returns 422 for a body that %s', async (_, body, message) => {
    const { id } = await given({});
    for (const call of [api.post('/templates', { ...welcome, body }), api.put(`/templates/${id}`, { body })]) {
      expect((await validationErrors(call)).body).toEqual([expect.stringContaining(message)]);
    }
    const steps = [{ subject: 'Hi', body }];
    const errors = await validationErrors(api.post('/campaigns', { name: 'C', steps }));
    expect(errors['steps.0.body']).toEqual([expect.stringContaining(message)]);
  });

  it('returns 422 for a subject with a line break, which could start another header', async () => {
    for (const subject of ['Hi\r\nBcc: eve@example.com', 'Hi\nyou', 'Hi {{ a\n}}']) {
      const { errors } = (await api.post('/templates', { ...welcome, subject })).body;
      expect(Object.keys(errors)).toEqual(['subject']);
      const campaign = await api.post('/campaigns', { name: 'C', steps: [{ subject, body: 'x' }] });
      expect(Object.keys(campaign.body.errors)).toEqual(['steps.0.subject']);
    }
  });

  it('returns 422 for a tag in a subject', async () => {
    const errors = await validationErrors(api.post('/templates', { ...welcome, subject: 'Hi {% if a %}' }));
    expect(Object.keys(errors)).toEqual(['subject']);
  });

  it('shows a template that was stored before there were limits, and returns 422 for its preview', async () => {
    const { id } = await given({});
    await service.database.query(`UPDATE templates SET body = repeat('{{a}}', 200000) WHERE id = $1`, [id]);
    expect((await api.get('/templates')).data[0]).toMatchObject({ id, variables: ['first_name', 'a'] });
    const { status, body } = await api.post(`/templates/${id}/preview`);
    expect([status, body.error, body.errors]).toEqual([422, 'HttpError', null]);
  });

  it('names the variables that are no contact field, no custom field and built in', async () => {
    await api.post('/custom-fields', { key: 'plan', type: 'text' });
    const known = '{{ first_name }} {{ full_name }} {{ created_at }} {{ plan }} {{ custom_fields.plan }}';
    const builtIn = '{{ unsubscribe_url }} {{ sender.name }} {{ sender.email }} {{ sender_address }}';
    const template = await given({
      subject: '{{ frist_name }}',
      body: `${known} ${builtIn} {{ tags }} {{ custom_fields.first_name }} {{ sender.phone | default: "x" }} {{ frist_name }}`,
    });
    const unknown = ['frist_name', 'tags', 'custom_fields.first_name', 'sender.phone'];
    expect(template.unknown_variables).toEqual(unknown);
    expect((await api.post(`/templates/${template.id}/preview`)).data.unknown_variables).toEqual(unknown);
    expect((await api.get('/templates')).data[0].unknown_variables).toEqual(unknown);
    await api.post('/custom-fields', { key: 'frist_name', type: 'text' });
    expect((await api.get(`/templates/${template.id}`)).data.unknown_variables).toEqual(unknown.slice(1));
    const { data } = await api.post(`/templates/${template.id}/duplicate`);
    expect(data.unknown_variables).toEqual(unknown.slice(1));
    const changed = await api.put(`/templates/${template.id}`, { body: '{{ plan }}' });
    expect(changed.data.unknown_variables).toEqual([]);
  });

  it('trims a body and stores everything in between unchanged', async () => {
    const body =
      '<html>\r\n  <p>\tDear  {{\r\n first_name }},\u00a0</p>\n\n<!--[if mso]> <i></i> <![endif]-->\r\n</html>';
    const { id } = await given({ body: `\r\n ${body}\n` });
    expect((await api.get(`/templates/${id}`)).data).toMatchObject({ body, variables: ['first_name'] });
    const errors = await validationErrors(api.put(`/templates/${id}`, { body: `${body}\r\n<p>\r\n  {{ oops` }));
    expect(errors.body).toEqual([expect.stringContaining('line 8, column 3: "}}" is expected after the name')]);
  });

  it('returns 422 with line, column and reason if a text does not parse', async () => {
    const errors = await validationErrors(
      api.post('/templates', { ...welcome, subject: 'Hi {{ 1 2 }}', body: 'One\nTwo\n<p>{{ name | upper }}</p>' }),
    );
    expect(errors.subject).toEqual([expect.stringMatching(/line 1\b.*\S/)]);
    expect(errors.body).toEqual([expect.stringMatching(/line 3\b.*default/)]);
  });

  it.each(['{{', '{{}}', '{{ }}', '{{ a', '{{ a }', '{{ a | default: }}', '{{ a | default: "x }}', '{{ a.b.c }}'])(
    'returns 422 for the text %s',
    async (text) => {
      const errors = await validationErrors(api.post('/templates', { ...welcome, subject: text, body: text }));
      expect(Object.keys(errors).sort()).toEqual(['body', 'subject']);
    },
  );

  it('treats single braces as text', async () => {
    const body = '<style>p { color: red } a{b{c}}</style> } }} {x}';
    expect(await given({ body, subject: '{ }' })).toMatchObject({ body, variables: [] });
  });
});
