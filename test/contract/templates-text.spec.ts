import type { ApiClient } from '../support/api-client.js';
import type { Schema } from '../support/api-schemas.js';
import { useService } from '../support/service.js';

const welcome = { name: 'Welcome', subject: 'Hello {{ first_name }}', body: '<p>Dear {{first_name}}, {{ city }}</p>' };

describe('subject, body and variables of a template', () => {
  const service = useService();
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

  it('accepts a body as large as a request may be, and returns the same bytes', async () => {
    const body = `<p>${'é{{ first_name }} '.repeat(50_000)}</p>`;
    expect((await given({ body })).body).toBe(body);
    expect((await api.post('/templates', { ...welcome, body: 'x'.repeat(1_048_576) })).status).toBe(413);
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
