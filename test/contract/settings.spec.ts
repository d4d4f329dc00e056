import type { ApiClient } from '../support/api-client.js';
import { useSharedService } from '../support/service.js';

const NOTHING = {
  ...{ postal_address: null, brand_name: null, brand_color: null, logo_url: null },
  ...{ tracking_domain: null, tracking_domain_verified_at: null, tracking_domain_txt_name: null },
  tracking_domain_txt_value: expect.stringMatching(/^outreach-verification=[0-9a-f-]{36}$/),
  ...{ tracking_consent_required: 'auto', track_opens: true, track_clicks: true },
};

describe('/settings', () => {
  const service = useSharedService();
  let api: ApiClient;
  beforeEach(async () => {
    api = await service.client();
  });

  const previewOf = async (source: string, body: object = {}): Promise<{ subject: string; body: string }> => {
    const { id } = (await api.post('/templates', { name: 'T', subject: 'S', body: source })).data;
    return (await api.post(`/templates/${id}/preview`, body)).data;
  };

  it('returns and changes the postal address of the workspace', async () => {
    expect((await api.get('/settings')).body).toEqual({ data: NOTHING });
    const { status, body } = await api.put('/settings', { postal_address: ' Acme\n1 Example Street ' });
    expect([status, body]).toEqual([200, { data: { ...NOTHING, postal_address: 'Acme\n1 Example Street' } }]);
    expect((await api.put('/settings', {})).body).toEqual(body);
    expect((await api.get('/settings')).body).toEqual(body);
    expect((await (await service.client()).get('/settings')).data).toEqual(NOTHING);
    expect((await api.put('/settings', { postal_address: null })).data).toEqual(NOTHING);
  });

  it('can be written back as they were read', async () => {
    const { data } = await api.put('/settings', { tracking_domain: 'links.example.com', track_opens: false });
    const written = await api.put('/settings', data);
    expect([written.status, written.data]).toEqual([200, data]);
    const { status, body } = await api.put('/settings', { ...data, tracking_domain_checked_at: null });
    expect([status, Object.keys(body.errors as object)]).toEqual([422, ['tracking_domain_checked_at']]);
  });

  it('is the variable sender_address of templates, escaped and with its line breaks', async () => {
    await api.put('/settings', { postal_address: 'Acme & Sons\n1 Example Street' });
    const address = 'Acme &amp; Sons<br>1 Example Street';
    for (const body of [{}, { variables: {} }, { contact_id: (await contact()).id }]) {
      expect(await previewOf('<p>{{ sender_address }}</p>', body)).toMatchObject({
        body: `<p>${address}</p>`,
        unknown_variables: [],
      });
    }
    await api.put('/settings', { postal_address: null });
    expect((await previewOf('[{{ sender_address }}]', { variables: {} })).body).toBe('[]');
  });

  const contact = async (): Promise<{ id: number }> => (await api.post('/contacts', { email: 'a@example.com' })).body;

  it.each([[5], ['x'.repeat(501)], [['x']], [{}]])('returns 422 for the postal address %j', async (address) => {
    const { status, body } = await api.put('/settings', { postal_address: address });
    expect([status, Object.keys(body.errors as object)]).toEqual([422, ['postal_address']]);
  });

  it('returns and changes the brand of the workspace, each part by itself', async () => {
    const brand = { brand_name: 'Acme & Sons', brand_color: '#FFE600', logo_url: 'https://cdn.example/logo.png?v=2' };
    expect((await api.put('/settings', brand)).data).toEqual({ ...NOTHING, ...brand });
    expect((await api.put('/settings', { brand_name: '' })).data).toEqual({ ...NOTHING, ...brand, brand_name: null });
    const cleared = { brand_color: '#FFE600', logo_url: null };
    expect((await api.put('/settings', { logo_url: null })).data).toMatchObject(cleared);
    expect((await (await service.client()).get('/settings')).data).toEqual(NOTHING);
  });

  const invalid = {
    brand_name: [5, 'x'.repeat(101), 'a\nb', ['x']],
    brand_color: ['red', '#fff', '#12345g', '#1234567', '123456', 0xffffff, 'expression(1)'],
    logo_url: [
      'http://cdn.example/l.png',
      'javascript:alert(1)',
      'data:image/png;base64,x',
      '//cdn.example/l.png',
      'https://',
      'https://a b/c',
      'https://user:pw@cdn.example/',
      `https://cdn.example/${'x'.repeat(2_000)}`,
      '{{ unsubscribe_url }}',
      7,
    ],
    tracking_consent_required: ['true', 'never', 1, ['auto'], {}],
  };
  const invalidFields = Object.entries(invalid).flatMap(([field, values]) =>
    values.map((value) => [field, value] as const),
  );

  it.each(invalidFields)('returns 422 for the %s %j', async (field, value) => {
    const { status, body } = await api.put('/settings', { [field]: value });
    expect([status, Object.keys(body.errors as object)]).toEqual([422, [field]]);
    expect((await api.get('/settings')).data).toEqual(NOTHING);
  });

  it.each([[true], [false], ['auto']])('requires the consent to tracking: %j', async (required) => {
    const { status, data } = await api.put('/settings', { tracking_consent_required: required });
    expect([status, data]).toEqual([200, { ...NOTHING, tracking_consent_required: required }]);
    expect((await api.put('/settings', data)).data).toEqual(data);
    expect((await api.put('/settings', { tracking_consent_required: null })).data).toEqual(NOTHING);
  });

  it('is the variables of the brand in previews, with the name of the sender and the defaults of the template', async () => {
    const source = `<b style="color:{{ brand.color | default: '#0c6a4f' }}">{{ brand.logo }} {{ brand.name }}</b>`;
    expect(await previewOf(source)).toMatchObject({
      body: '<b style="color:#0c6a4f">Alex Bernard Alex Bernard</b>',
      unknown_variables: [],
    });
    await api.put('/settings', {
      brand_name: 'A & B',
      brand_color: '#FFE600',
      logo_url: 'https://cdn.example/l.png?a&b',
    });
    for (const body of [{}, { variables: {} }, { contact_id: (await contact()).id }]) {
      const preview = await previewOf(`${source}{{ brand.text_color }}`, body);
      expect(preview.body).toMatch(
        /^<b style="color:#ffe600"><img src="https:\/\/cdn\.example\/l\.png\?a&amp;b" alt="A &amp; B" [^>]+> A &amp; B<\/b>#000000$/,
      );
    }
    expect((await previewOf('{{ brand.color }}', { variables: { 'brand.color': '#111111' } })).body).toBe('#111111');
  });

  it('requires the permissions of email accounts', async () => {
    const reader = await service.client(['email_accounts:read']);
    expect((await reader.get('/settings')).status).toBe(200);
    expect((await reader.put('/settings', {})).status).toBe(403);
    expect((await (await service.client(['campaigns:read'])).get('/settings')).status).toBe(403);
  });
});
