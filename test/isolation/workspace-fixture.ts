import type { ApiClient } from '../support/api-client.js';
import { givenLogs } from '../support/given-logs.js';
import type { TestDatabase } from '../support/test-database.js';

/** The parameters of a path → their values in one workspace. */
export type Ids = Readonly<Record<string, number | string>>;

/** Resources that all workspaces share (API v1, "What the service does", rule 2). */
export const GLOBAL_RESOURCES = ['/v1/marketplace/templates/:id', '/v1/marketplace/packs/:id'];

/** Resources whose paths have keys that clients choose: each workspace can have a record with the same key. */
export const CLIENT_KEYS = ['/v1/contacts/by-email/:email', '/v1/contacts/by-external-id/:external_id'];

/** One record of each kind in one workspace. */
export class WorkspaceFixture {
  private readonly records = new Map<string, Ids>();

  constructor(
    readonly api: ApiClient,
    readonly database: TestDatabase,
    /** A text that is part of every text of these records. */
    readonly marker: string,
  ) {}

  /** @throws Error for a resource that has no fixture */
  idsOf(resource: string): Ids {
    const ids = this.records.get(resource);
    if (!ids) throw new Error(`Add a fixture for ${resource} to test/isolation/workspace-fixture.ts.`);
    return ids;
  }

  /** The ID of the record that a resource's last parameter names. */
  id(resource: string): number {
    return Number(Object.values(this.idsOf(`/v1${resource}`)).at(-1));
  }

  async fill(): Promise<this> {
    for (const [resource, make] of Object.entries(FIXTURES)) this.records.set(resource, await make(this));
    return this;
  }

  async create(path: string, fields: object): Promise<{ readonly id: number }> {
    const { status, body } = await this.api.post(path, fields);
    if (status !== 201) throw new Error(`POST ${path}: ${JSON.stringify(body)}`);
    return body.data ?? body;
  }
}

const created =
  (path: string, fields: (fixture: WorkspaceFixture) => object) =>
  async (fixture: WorkspaceFixture): Promise<Ids> => ({ id: (await fixture.create(path, fields(fixture))).id });

/** The first record of a shared resource. */
const published =
  (path: string) =>
  async ({ api }: WorkspaceFixture): Promise<Ids> => ({ id: (await api.get(path)).data[0].id });

const named = ({ marker }: WorkspaceFixture) => ({ name: marker });

/** Creates a record of each resource; later ones refer to earlier ones. */
const FIXTURES: Readonly<Record<string, (fixture: WorkspaceFixture) => Promise<Ids>>> = {
  '/v1/tokens/:id': created('/tokens', ({ marker }) => ({ name: marker, permissions: ['contacts:read'] })),
  '/v1/templates/:id': created('/templates', ({ marker }) => ({ name: marker, subject: marker, body: marker })),
  '/v1/marketplace/templates/:id': published('/marketplace/templates'),
  '/v1/marketplace/packs/:id': published('/marketplace/packs'),
  '/v1/companies/:id': created('/companies', named),
  '/v1/lists/:id': created('/lists', named),
  '/v1/tags/:id': created('/tags', named),
  '/v1/custom-fields/:id': created('/custom-fields', ({ marker }) => ({ key: marker, label: marker, type: 'text' })),
  '/v1/contacts/:id': created('/contacts', (fixture) => ({
    email: `${fixture.marker}@example.com`,
    external_id: fixture.marker,
    first_name: fixture.marker,
    company_id: fixture.id('/companies/:id'),
    lists: [fixture.id('/lists/:id')],
    tags: [fixture.id('/tags/:id')],
    custom_fields: { [fixture.marker]: fixture.marker },
  })),
  '/v1/contacts/by-email/:email': async ({ marker }) => ({ email: `${marker}@example.com` }),
  '/v1/contacts/by-external-id/:external_id': async ({ marker }) => ({ external_id: marker }),
  '/v1/imports/:id': async ({ api, marker }) => {
    const form = new FormData();
    form.set('file', new Blob([`email\n${marker}\n`]), `${marker}.csv`);
    return { id: (await api.post('/contacts/import', form)).data.import_id };
  },
  '/v1/segments/:id': created('/segments', (fixture) => ({
    name: fixture.marker,
    description: fixture.marker,
    match_type: 'all',
    conditions: [
      { field: `custom_fields.${fixture.marker}`, operator: 'equals', value: fixture.marker },
      { field: 'company_id', operator: 'equals', value: fixture.id('/companies/:id') },
      { field: 'list_id', operator: 'equals', value: fixture.id('/lists/:id') },
      { field: 'tag_id', operator: 'equals', value: fixture.id('/tags/:id') },
    ],
  })),
  '/v1/email-accounts/:id': created('/email-accounts', ({ marker }) => ({
    name: marker,
    type: 'smtp',
    from_email: `${marker}@sender.example`,
    from_name: marker,
    smtp_host: '127.0.0.1',
    smtp_port: 2525,
    smtp_username: marker,
    smtp_password: marker,
  })),
  '/v1/campaigns/:id': created('/campaigns', (fixture) => ({
    name: fixture.marker,
    email_account_ids: [fixture.id('/email-accounts/:id')],
  })),
  '/v1/campaigns/:id/steps/:step': async (fixture) => {
    const id = fixture.id('/campaigns/:id');
    const step = await fixture.create(`/campaigns/${id}/steps`, {
      subject: fixture.marker,
      body: fixture.marker,
      template_id: fixture.id('/templates/:id'),
    });
    return { id, step: step.id };
  },
  '/v1/campaigns/:id/contacts/:contact': async (fixture) => {
    const [id, contact] = [fixture.id('/campaigns/:id'), fixture.id('/contacts/:id')];
    await fixture.create(`/campaigns/${id}/contacts`, { contact_ids: [contact] });
    return { id, contact };
  },
  '/v1/campaigns/:id/messages/:message': async (fixture) => {
    const { workspaceId } = fixture.api;
    const [message] = await fixture.database.query<{ id: string }>(
      `INSERT INTO messages
         (workspace_id, campaign_id, enrollment_id, contact_id, step_id, email_account_id, subject, status)
       SELECT workspace_id, campaign_id, id, contact_id, current_step_id, $2, $3, 'unknown'
       FROM enrollments WHERE workspace_id = $1 RETURNING id`,
      [workspaceId, fixture.id('/email-accounts/:id'), fixture.marker],
    );
    return { id: fixture.id('/campaigns/:id'), message: Number(message?.id) };
  },
  '/v1/replies/:id': async (fixture) => {
    const [reply] = await fixture.database.query<{ id: string }>(
      `INSERT INTO replies
         (workspace_id, campaign_id, enrollment_id, contact_id, email_account_id, answered_id, message_id, dedup_hash,
          from_address, subject, text, classification, is_automatic, received_at)
       SELECT workspace_id, campaign_id, enrollment_id, contact_id, email_account_id, id, $2, sha256($2::text::bytea),
         $2 || '@example.com', $2, $2, 'reply', false, now()
       FROM messages WHERE workspace_id = $1 RETURNING id`,
      [fixture.api.workspaceId, fixture.marker],
    );
    return { id: Number(reply?.id) };
  },
  '/v1/sandbox/messages/:id': async (fixture) => {
    const [message] = await fixture.database.query<{ id: string }>(
      `INSERT INTO sandbox_messages (workspace_id, campaign_id, contact_id, from_address, to_address, subject, message_id, html,
         text, raw, bytes, event_provider)
       VALUES ($1, $2, $3, $4, $4, $4, $4, $4, $4, $4, length($4), NULL) RETURNING id`,
      [fixture.api.workspaceId, fixture.id('/campaigns/:id'), fixture.id('/contacts/:id'), fixture.marker],
    );
    return { id: Number(message?.id) };
  },
  '/v1/webhooks/:id': created('/webhooks', ({ marker }) => ({
    url: `https://127.0.0.1:44443/${marker}`,
    events: ['contact.created'],
  })),
  '/v1/webhooks/:id/logs/:log': async (fixture) => {
    const { api, database, marker } = fixture;
    const id = fixture.id('/webhooks/:id');
    const payload = { event: 'contact.created', workspace_id: api.workspaceId, data: { first_name: marker } };
    const log = { event: 'contact.created', status_code: 200, success: true, created_at: new Date().toISOString() };
    const [made] = await givenLogs(database, { workspace_id: api.workspaceId, id }, [
      { ...log, response: marker, payload },
    ]);
    return { id, log: made ?? 0 };
  },
  '/v1/blacklist/:id': created('/blacklist', ({ marker }) => ({ email: `${marker}@blocked.example` })),
  '/v1/blacklist/:email': async ({ marker }) => ({ email: `${marker}@blocked.example` }),
};
