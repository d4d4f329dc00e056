// Ten calls with the types of openapi-typescript. The package openapi-fetch sends them.
import createClient from 'openapi-fetch';
import type { components, paths } from './openapi-typescript.js';

const { API_URL: baseUrl = '', API_TOKEN: token = '' } = process.env;
const api = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${token}` } });

/** @throws if the call has failed */
function dataOf<Data>({ data, error }: { data?: Data; error?: unknown }): Data {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

const me = dataOf(await api.GET('/v1/me'));
const tag: components['schemas']['Tag'] = dataOf(await api.POST('/v1/tags', { body: { name: 'openapi-fetch' } })).data;
const contact = dataOf(
  await api.POST('/v1/contacts', {
    body: { email: 'fetch@acme.example', tags: [tag.id], custom_fields: { employees: 140, renewal: '2026-09-30' } },
    headers: { 'Idempotency-Key': 'openapi-fetch' },
  }),
);
const employees: string | number | boolean | undefined = contact.custom_fields['employees'];
const status: components['schemas']['ContactStatus'] = contact.status;
const page = dataOf(
  await api.GET('/v1/contacts', { params: { query: { tag_id: tag.id, status, sort: 'email', direction: 'asc' } } }),
);
const updated = dataOf(
  await api.PUT('/v1/contacts/{id}', { params: { path: { id: contact.id } }, body: { ...contact, job_title: 'Head' } }),
).data;
const imported = dataOf(
  await api.POST('/v1/contacts/import', {
    body: { file: new Blob(['email,first_name\ntom@acme.example,Tom\n']), 'tags[]': [tag.id], skip_duplicates: true },
    bodySerializer: ({ file, ...fields }) => {
      const form = new FormData();
      form.set('file', file, 'contacts.csv');
      for (const id of fields['tags[]'] ?? []) form.append('tags[]', String(id));
      return form;
    },
  }),
).data;
const segment = dataOf(
  await api.POST('/v1/segments', {
    body: {
      name: 'Large',
      match_type: 'all',
      conditions: [{ field: 'custom_fields.employees', operator: 'greater_than', value: '100' }],
    },
  }),
).data;
const campaign = dataOf(
  await api.POST('/v1/campaigns', {
    body: {
      name: 'Fair',
      schedule: { timezone: 'Europe/Paris', days: [1, 2], start: '09:00', end: '18:00' },
      steps: [{ subject: 'Hello', body: '<p>Hello</p>', delay_minutes: 0 }],
    },
  }),
).data;
const enrolled = dataOf(
  await api.POST('/v1/campaigns/{id}/contacts/enroll-from-lists', {
    params: { path: { id: campaign.id } },
    body: { segment_ids: [segment.id] },
  }),
).data;
const refused = await api.POST('/v1/contacts', { body: { email: 'not an address' } });
const errors: Record<string, string[]> | null | undefined =
  refused.error && 'errors' in refused.error ? refused.error.errors : undefined;
const deleted = await api.DELETE('/v1/tags/{id}', { params: { path: { id: tag.id } } });

console.log(
  JSON.stringify({
    workspace: me.data.workspace.name,
    employees,
    listed: page.data.map(({ email }) => email),
    total: page.meta.total,
    job_title: updated.job_title,
    imported: imported.imported,
    steps: campaign.steps_count,
    enrolled: enrolled.enrolled,
    errors: Object.keys(errors ?? {}),
    deleted: deleted.response.status,
  }),
);
