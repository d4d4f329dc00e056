// The same ten calls with the functions that @hey-api/openapi-ts generates.
import { client } from './hey-api/client.gen.js';
import {
  createCampaign,
  createContact,
  createSegment,
  createTag,
  deleteTag,
  enrollContactsFromLists,
  getMe,
  importContacts,
  listContacts,
  updateContact,
} from './hey-api/sdk.gen.js';
import type { ContactStatus, ErrorResponse, Tag } from './hey-api/types.gen.js';

const { API_URL: baseUrl = '', API_TOKEN: token = '' } = process.env;
client.setConfig({ baseUrl, auth: () => token });
const throwOnError = true;

const { data: me } = await getMe({ throwOnError });
const { data: created } = await createTag({ body: { name: 'hey-api' }, throwOnError });
const tag: Tag = created.data;
const { data: contact } = await createContact({
  body: { email: 'hey@acme.example', tags: [tag.id], custom_fields: { employees: 140, renewal: '2026-09-30' } },
  headers: { 'Idempotency-Key': 'hey-api' },
  throwOnError,
});
const employees: string | number | boolean | undefined = contact.custom_fields['employees'];
const status: ContactStatus = contact.status;
const { data: page } = await listContacts({
  query: { tag_id: tag.id, status, sort: 'email', direction: 'asc' },
  throwOnError,
});
const { data: updated } = await updateContact({ path: { id: contact.id }, body: { job_title: 'Head' }, throwOnError });
const { data: imported } = await importContacts({
  body: {
    file: new Blob(['email,first_name\ntom@globex.example,Tom\n']),
    'tags[]': [tag.id],
    skip_duplicates: true,
  },
  throwOnError,
});
const { data: segment } = await createSegment({
  body: {
    name: 'Large',
    match_type: 'all',
    conditions: [{ field: 'custom_fields.employees', operator: 'greater_than', value: '100' }],
  },
  throwOnError,
});
const { data: campaign } = await createCampaign({
  body: {
    name: 'Fair',
    schedule: { timezone: 'Europe/Paris', days: [1, 2], start: '09:00', end: '18:00' },
    steps: [{ subject: 'Hello', body: '<p>Hello</p>', delay_minutes: 0 }],
  },
  throwOnError,
});
const { data: enrolled } = await enrollContactsFromLists({
  path: { id: campaign.data.id },
  body: { segment_ids: [segment.data.id] },
  throwOnError,
});
const refused = await createContact({ body: { email: 'not an address' } });
const error = refused.error as ErrorResponse | undefined;
const deleted = await deleteTag({ path: { id: tag.id } });

console.log(
  JSON.stringify({
    workspace: me.data.workspace.name,
    employees,
    listed: page.data.map(({ email }) => email),
    total: page.meta.total,
    job_title: updated.data.job_title,
    imported: imported.data.imported,
    steps: campaign.data.steps_count,
    enrolled: enrolled.data.enrolled,
    errors: Object.keys(error?.errors ?? {}),
    deleted: deleted.response?.status,
  }),
);
