import type { ApiClient } from '../support/api-client.js';
import { useService } from '../support/service.js';

describe('/settings', () => {
  const service = useService();
  let api: ApiClient;
  beforeEach(async () => {
    api = await service.client();
  });

  const previewOf = async (source: string, body: object = {}): Promise<{ subject: string; body: string }> => {
    const { id } = (await api.post('/templates', { name: 'T', subject: 'S', body: source })).data;
    return (await api.post(`/templates/${id}/preview`, body)).data;
  };

  it('returns and changes the postal address of the workspace', async () => {
    expect((await api.get('/settings')).body).toEqual({ data: { postal_address: null } });
    const { status, body } = await api.put('/settings', { postal_address: ' Acme\n1 Example Street ' });
    expect([status, body]).toEqual([200, { data: { postal_address: 'Acme\n1 Example Street' } }]);
    expect((await api.put('/settings', {})).body).toEqual(body);
    expect((await api.get('/settings')).body).toEqual(body);
    expect((await (await service.client()).get('/settings')).data).toEqual({ postal_address: null });
    expect((await api.put('/settings', { postal_address: null })).data).toEqual({ postal_address: null });
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

  it('requires the permissions of campaigns', async () => {
    const reader = await service.client(['campaigns:read']);
    expect((await reader.get('/settings')).status).toBe(200);
    expect((await reader.put('/settings', {})).status).toBe(403);
    expect((await (await service.client(['templates:read'])).get('/settings')).status).toBe(403);
  });
});
