import { routeInputs } from '@outreach/http-api/openapi';
import { Routes } from '@outreach/http-api/routes';
import type { ApiClient } from '../support/api-client.js';
import { httpError, validationError } from '../support/expected.js';
import { useSharedService } from '../support/service.js';

describe('PATCH', () => {
  const service = useSharedService();
  let api: ApiClient;
  beforeEach(async () => {
    api = await service.client();
  });
  const patch = (path: string, body?: unknown, headers = {}) => api.call('PATCH', path, body, headers);

  it('is a method of each path that has PUT, with the same handler, body and permission', () => {
    const routes = service.app.get(Routes).all();
    const of = (method: string) =>
      routes
        .filter((route) => route.method === method)
        .map((route) => ({ ...route, method: 'any', body: routeInputs(route).body }));
    expect(of('PUT').length).toBeGreaterThan(12);
    expect(of('PATCH')).toEqual(of('PUT'));
  });

  it('changes the fields that the body names, and leaves the others', async () => {
    const { body: contact } = await api.post('/contacts', {
      email: 'ada@example.com',
      first_name: 'Ada',
      custom_fields: { plan: 'pro' },
    });
    const { status, data } = await patch(`/contacts/${contact.id}`, { last_name: 'L', custom_fields: { seats: 2 } });
    expect([status, data.full_name, data.custom_fields]).toEqual([200, 'Ada L', { plan: 'pro', seats: 2 }]);
    const list = (await api.post('/lists', { name: 'Leads' })).data;
    expect((await patch(`/lists/${list.id}`, { description: 'New' })).data).toMatchObject({
      name: 'Leads',
      description: 'New',
    });
    expect((await patch('/settings', { postal_address: '1 Main Street' })).data.postal_address).toBe('1 Main Street');
    expect((await patch('/contacts/by-email/eve@example.com', { first_name: 'Eve' })).status).toBe(201);
  });

  it('takes a merge patch (RFC 7396), and has the errors of PUT', async () => {
    const { body: contact } = await api.post('/contacts', { email: 'ada@example.com', first_name: 'Ada' });
    const path = `/contacts/${contact.id}`;
    const type = { 'content-type': 'application/merge-patch+json' };
    expect((await patch(path, { first_name: null }, type)).data.first_name).toBeNull();
    expect((await patch(path, { email: null, nickname: 'A' })).body).toEqual(validationError('email', 'nickname'));
    expect((await patch('/contacts/9007199254740991', {})).body).toEqual(httpError(404));
    const reader = await service.client(['contacts:read']);
    expect((await reader.call('PATCH', '/contacts/1', {})).status).toBe(403);
  });

  it('is in Allow where PUT is, and only there', async () => {
    const allowed = async (method: string, path: string) => {
      const { status, headers } = await api.call(method, path);
      return [status, headers.get('allow')];
    };
    expect(await allowed('POST', '/contacts/1')).toEqual([405, 'DELETE, GET, HEAD, PATCH, PUT']);
    expect(await allowed('OPTIONS', '/contacts/1')).toEqual([204, 'DELETE, GET, HEAD, PATCH, PUT']);
    expect(await allowed('PATCH', '/contacts')).toEqual([405, 'GET, HEAD, POST']);
    expect(await allowed('PATCH', '/blacklist/a@example.com')).toEqual([405, 'DELETE, GET, HEAD']);
  });

  it('has its own method in the metrics of requests', async () => {
    await patch('/settings', {});
    const metrics = await (await fetch(`${service.url}/metrics`)).text();
    expect(metrics).toMatch(/outreach_http_request_duration_seconds_count\{method="PATCH",route="\/v1\/settings"/);
  });
});
