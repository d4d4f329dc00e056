import type { ApiResponse } from '../support/api-client.js';
import type { WorkspaceFixture } from './workspace-fixture.js';

/** A request field that contains the ID of a record outside the path. */
export interface Reference {
  /** The path of the field in errors, with the index 0 in arrays. */
  readonly field: string;
  /** Returns a body, or the value of a query parameter, with the ID of another workspace's record. */
  readonly send: (theirs: WorkspaceFixture) => unknown;
  /** Asserts what happens instead of a 422 for the field. */
  readonly instead?: (response: ApiResponse) => void;
}

const query = (field: string, resource: string): Reference => ({ field, send: (theirs) => theirs.id(resource) });

const body = (field: string, resource: string, around: (id: number) => object): Reference => ({
  field,
  send: (theirs) => around(theirs.id(resource)),
});

const form = (field: string, resource: string): Reference => ({
  field: `${field}.0`,
  send: (theirs) => {
    const sent = new FormData();
    sent.set('file', new Blob(['email\nnew@example.com\n']), 'contacts.csv');
    sent.set(`${field}[]`, String(theirs.id(resource)));
    return sent;
  },
});

const ignored = (reference: Reference, data: object): Reference => ({
  ...reference,
  instead: (response) => expect(response.data).toMatchObject(data),
});

const groupsAndCompany = (fields: object): Reference[] => [
  body('company_id', '/companies/:id', (id) => ({ ...fields, company_id: id })),
  body('tags.0', '/tags/:id', (id) => ({ ...fields, tags: [id] })),
  body('lists.0', '/lists/:id', (id) => ({ ...fields, lists: [id] })),
];
const groupFilters = [
  query('company_id', '/companies/:id'),
  query('list_id', '/lists/:id'),
  query('tag_id', '/tags/:id'),
];

const condition = (name: string, resource: string): Reference =>
  body('conditions.0.value', resource, (id) => ({
    name: 'x',
    match_type: 'all',
    conditions: [{ field: name, operator: 'equals', value: String(id) }],
  }));
const conditions = [
  condition('company_id', '/companies/:id'),
  condition('list_id', '/lists/:id'),
  condition('tag_id', '/tags/:id'),
];

const members = body('contact_ids.0', '/contacts/:id', (id) => ({ contact_ids: [id] }));
const stepFields = { subject: 'x', body: 'x' };

/** IDs of variants that do not belong to the step are ignored: the variant is a new one. */
const variantIds = (field: string, around: (variants: object[]) => object, data: object): Reference =>
  ignored(
    body(field, '/campaigns/:id/steps/:step', (id) => around([{ id, name: 'A', weight: 1 }])),
    data,
  );
const newVariant = { variants: [{ name: 'A' }] };

const messageFilters = [query('contact_id', '/contacts/:id'), query('step_id', '/campaigns/:id/steps/:step')];

const autoEnrollSources = [
  body('auto_enroll.list_ids.0', '/lists/:id', (id) => ({ name: 'x', auto_enroll: { list_ids: [id] } })),
  body('auto_enroll.segment_ids.0', '/segments/:id', (id) => ({ name: 'x', auto_enroll: { segment_ids: [id] } })),
];

/** Every such field of every route. A test compares them with the OpenAPI document. */
export const REFERENCES: Readonly<Record<string, readonly Reference[]>> = {
  'GET /v1/sandbox/messages': [query('campaign_id', '/campaigns/:id')],
  'GET /v1/replies': [
    query('campaign_id', '/campaigns/:id'),
    query('contact_id', '/contacts/:id'),
    query('email_account_id', '/email-accounts/:id'),
  ],
  'GET /v1/contacts': groupFilters,
  'GET /v1/contacts/export': groupFilters,
  'POST /v1/contacts': groupsAndCompany({ email: 'new@example.com' }),
  'PUT /v1/contacts/:id': groupsAndCompany({}),
  'PUT /v1/contacts/by-email/:email': groupsAndCompany({}),
  'PUT /v1/contacts/by-external-id/:external_id': groupsAndCompany({}),
  'POST /v1/contacts/bulk-upsert': groupsAndCompany({ email: 'new@example.com' }).map(({ field, send }) => ({
    field: `contacts.0.${field}`,
    send: (theirs) => ({ contacts: [send(theirs)] }),
    instead: ({ data }) => expect(Object.keys(data.results[0].errors)).toEqual([field]),
  })),
  'POST /v1/contacts/import': [form('lists', '/lists/:id'), form('tags', '/tags/:id')],
  'GET /v1/segments/:id/contacts': groupFilters,
  'POST /v1/lists/:id/contacts': [members],
  'DELETE /v1/lists/:id/contacts': [ignored(members, { removed: 0, not_found: 1 })],
  'POST /v1/tags/:id/contacts': [members],
  'DELETE /v1/tags/:id/contacts': [ignored(members, { removed: 0, not_found: 1 })],
  'POST /v1/templates/:id/preview': [body('contact_id', '/contacts/:id', (id) => ({ contact_id: id }))],
  'POST /v1/campaigns': [
    body('email_account_ids.0', '/email-accounts/:id', (id) => ({ name: 'x', email_account_ids: [id] })),
    ...autoEnrollSources,
    body('steps.0.template_id', '/templates/:id', (id) => ({ name: 'x', steps: [{ ...stepFields, template_id: id }] })),
    variantIds('steps.0.variants.0.id', (variants) => ({ name: 'x', steps: [{ ...stepFields, variants }] }), {
      name: 'x',
    }),
  ],
  'PUT /v1/campaigns/:id': [
    body('email_account_ids.0', '/email-accounts/:id', (id) => ({ name: 'x', email_account_ids: [id] })),
    ...autoEnrollSources,
  ],
  'POST /v1/campaigns/:id/steps': [
    body('template_id', '/templates/:id', (id) => ({ ...stepFields, template_id: id })),
    variantIds('variants.0.id', (variants) => ({ ...stepFields, variants }), newVariant),
  ],
  'PUT /v1/campaigns/:id/steps/:step': [
    body('template_id', '/templates/:id', (id) => ({ template_id: id })),
    variantIds('variants.0.id', (variants) => ({ variants }), newVariant),
  ],
  'POST /v1/campaigns/:id/contacts': [ignored(members, { enrolled: 0, skipped: 0 })],
  'POST /v1/campaigns/:id/contacts/enroll-from-lists': [
    ignored(
      body('list_ids.0', '/lists/:id', (id) => ({ list_ids: [id] })),
      { enrolled: 0, skipped: 0 },
    ),
    ignored(
      body('segment_ids.0', '/segments/:id', (id) => ({ segment_ids: [id] })),
      { enrolled: 0, skipped: 0 },
    ),
  ],
  'POST /v1/campaigns/:id/contacts/:contact/move': [
    body('step_id', '/campaigns/:id/steps/:step', (id) => ({ step_id: id })),
  ],
  'POST /v1/campaigns/:id/steps/:step/test-send': [
    body('contact_id', '/contacts/:id', (id) => ({ to: 'author@example.com', contact_id: id })),
    body('variant_id', '/campaigns/:id/steps/:step', (id) => ({ to: 'author@example.com', variant_id: id })),
  ],
  'GET /v1/campaigns/:id/messages': messageFilters,
  'GET /v1/campaigns/:id/messages/export': messageFilters,
};

/** Fields that contain IDs only for some values, which the OpenAPI document does not distinguish. */
export const REFERENCES_BY_VALUE: Readonly<Record<string, readonly Reference[]>> = {
  'POST /v1/segments': conditions,
  'PUT /v1/segments/:id': conditions,
};
