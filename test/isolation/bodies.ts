import type { WorkspaceFixture } from './workspace-fixture.js';

const contactIds = (own: WorkspaceFixture) => ({ contact_ids: [own.id('/contacts/:id')] });

/** For each route with a record in its path and a body: a body that would change something. */
export const BODIES: Readonly<Record<string, (own: WorkspaceFixture) => object>> = {
  'PUT /v1/templates/:id': () => ({ name: 'taken over' }),
  'POST /v1/templates/:id/preview': () => ({}),
  'POST /v1/templates/:id/duplicate': () => ({ name: 'taken over' }),
  'POST /v1/marketplace/templates/:id/copy': () => ({ name: 'copied' }),
  'PUT /v1/companies/:id': () => ({ name: 'taken over' }),
  'PUT /v1/lists/:id': () => ({ name: 'taken over' }),
  'PUT /v1/tags/:id': () => ({ name: 'taken over' }),
  'PUT /v1/custom-fields/:id': () => ({ label: 'taken over' }),
  'PUT /v1/contacts/:id': () => ({ first_name: 'taken over' }),
  'POST /v1/contacts/:id/pause': () => ({ until: new Date(Date.now() + 86_400_000).toISOString() }),
  'PUT /v1/contacts/by-email/:email': () => ({ first_name: 'taken over' }),
  'PUT /v1/contacts/by-external-id/:external_id': () => ({ first_name: 'taken over', email: 'own@example.com' }),
  'PUT /v1/segments/:id': () => ({ name: 'taken over' }),
  'PUT /v1/email-accounts/:id': () => ({ name: 'taken over' }),
  'PUT /v1/campaigns/:id': () => ({ name: 'taken over' }),
  'PUT /v1/campaigns/:id/steps/:step': () => ({ subject: 'taken over' }),
  'POST /v1/campaigns/:id/steps': () => ({ subject: 'taken over', body: 'taken over' }),
  'POST /v1/campaigns/:id/contacts': contactIds,
  'POST /v1/campaigns/:id/contacts/enroll-from-lists': (own) => ({
    list_ids: [own.id('/lists/:id')],
    segment_ids: [own.id('/segments/:id')],
  }),
  'POST /v1/campaigns/:id/contacts/:contact/move': (own) => ({ step_id: own.id('/campaigns/:id/steps/:step') }),
  'POST /v1/campaigns/:id/steps/:step/test-send': () => ({ to: 'author@example.com' }),
  'POST /v1/campaigns/:id/messages/retry': () => ({ status: 'unknown' }),
  'PUT /v1/replies/:id': () => ({ classification: 'taken-over' }),
  'POST /v1/replies/:id/answer': () => ({ body: 'taken over' }),
  'POST /v1/webhooks/:id/redeliver': () => ({ from: '2026-01-01', to: '2036-01-01' }),
  'PUT /v1/webhooks/:id': () => ({ url: 'https://127.0.0.1:44443/taken-over' }),
  'POST /v1/lists/:id/contacts': contactIds,
  'DELETE /v1/lists/:id/contacts': contactIds,
  'POST /v1/tags/:id/contacts': contactIds,
  'DELETE /v1/tags/:id/contacts': contactIds,
};
