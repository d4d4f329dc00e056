import type { ApiClient } from '../support/api-client.js';
import { givenLogs } from '../support/given-logs.js';
import type { TestDatabase } from '../support/test-database.js';

/** The parameters of a path → what they are in one workspace. */
export type Ids = Readonly<Record<string, number | string>>;

/** What all workspaces see: their records belong to none of them (API v1, "What the service does", rule 2). */
export const GLOBAL_RESOURCES = ['/v1/marketplace/templates/:id', '/v1/marketplace/packs/:id'];

/** One record of each kind in one workspace: the path of a resource → the IDs in it. */
export class World {
  private readonly records = new Map<string, Ids>();

  constructor(
    readonly api: ApiClient,
    readonly database: TestDatabase,
    /** Stands in every text of this world. */
    readonly mark: string,
  ) {}

  /** @throws Error for a resource that has no fixture */
  idsOf(resource: string): Ids {
    const ids = this.records.get(resource);
    if (!ids) throw new Error(`Add a fixture for ${resource} to test/isolation/world.ts.`);
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

  async create(path: string, fields: object): Promise<any> {
    const { status, body } = await this.api.post(path, fields);
    if (status !== 201) throw new Error(`POST ${path}: ${JSON.stringify(body)}`);
    return body.data ?? body;
  }
}

const created =
  (path: string, fields: (world: World) => object) =>
  async (world: World): Promise<Ids> => ({ id: (await world.create(path, fields(world))).id });

/** The first record of what all workspaces see. */
const published =
  (path: string) =>
  async ({ api }: World): Promise<Ids> => ({ id: (await api.get(path)).data[0].id });

const named = ({ mark }: World) => ({ name: mark });

/** How a record of each resource is made, in an order in which later ones may refer to earlier ones. */
const FIXTURES: Readonly<Record<string, (world: World) => Promise<Ids>>> = {
  '/v1/tokens/:id': created('/tokens', ({ mark }) => ({ name: mark, permissions: ['contacts:read'] })),
  '/v1/templates/:id': created('/templates', ({ mark }) => ({ name: mark, subject: mark, body: mark })),
  '/v1/marketplace/templates/:id': published('/marketplace/templates'),
  '/v1/marketplace/packs/:id': published('/marketplace/packs'),
  '/v1/companies/:id': created('/companies', named),
  '/v1/lists/:id': created('/lists', named),
  '/v1/tags/:id': created('/tags', named),
  '/v1/custom-fields/:id': created('/custom-fields', ({ mark }) => ({ key: mark, label: mark, type: 'text' })),
  '/v1/contacts/:id': created('/contacts', (world) => ({
    email: `${world.mark}@example.com`,
    first_name: world.mark,
    company_id: world.id('/companies/:id'),
    lists: [world.id('/lists/:id')],
    tags: [world.id('/tags/:id')],
    custom_fields: { [world.mark]: world.mark },
  })),
  '/v1/segments/:id': created('/segments', (world) => ({
    name: world.mark,
    description: world.mark,
    match_type: 'all',
    conditions: [
      { field: `custom_fields.${world.mark}`, operator: 'equals', value: world.mark },
      { field: 'company_id', operator: 'equals', value: world.id('/companies/:id') },
      { field: 'list_id', operator: 'equals', value: world.id('/lists/:id') },
      { field: 'tag_id', operator: 'equals', value: world.id('/tags/:id') },
    ],
  })),
  '/v1/email-accounts/:id': created('/email-accounts', ({ mark }) => ({
    name: mark,
    type: 'smtp',
    from_email: `${mark}@sender.example`,
    from_name: mark,
    smtp_host: '127.0.0.1',
    smtp_port: 2525,
    smtp_username: mark,
    smtp_password: mark,
  })),
  '/v1/campaigns/:id': created('/campaigns', (world) => ({
    name: world.mark,
    email_account_ids: [world.id('/email-accounts/:id')],
  })),
  '/v1/campaigns/:id/steps/:step': async (world) => {
    const id = world.id('/campaigns/:id');
    const step = await world.create(`/campaigns/${id}/steps`, {
      subject: world.mark,
      body: world.mark,
      template_id: world.id('/templates/:id'),
    });
    return { id, step: step.id };
  },
  '/v1/campaigns/:id/contacts/:contact': async (world) => {
    const [id, contact] = [world.id('/campaigns/:id'), world.id('/contacts/:id')];
    await world.create(`/campaigns/${id}/contacts`, { contact_ids: [contact] });
    return { id, contact };
  },
  '/v1/campaigns/:id/messages/:message': async (world) => {
    const { workspaceId } = world.api;
    const [message] = await world.database.query<{ id: string }>(
      `INSERT INTO messages
         (workspace_id, campaign_id, enrollment_id, contact_id, step_id, email_account_id, subject, status)
       SELECT workspace_id, campaign_id, id, contact_id, current_step_id, $2, $3, 'unknown'
       FROM enrollments WHERE workspace_id = $1 RETURNING id`,
      [workspaceId, world.id('/email-accounts/:id'), world.mark],
    );
    return { id: world.id('/campaigns/:id'), message: Number(message?.id) };
  },
  '/v1/webhooks/:id': created('/webhooks', ({ mark }) => ({
    url: `https://127.0.0.1:44443/${mark}`,
    events: ['contact.created'],
  })),
  '/v1/webhooks/:id/logs/:log': async (world) => {
    const { api, database, mark } = world;
    const id = world.id('/webhooks/:id');
    const payload = { event: 'contact.created', workspace_id: api.workspaceId, data: { first_name: mark } };
    const log = { event: 'contact.created', status_code: 200, success: true, created_at: new Date().toISOString() };
    const [made] = await givenLogs(database, { workspace_id: api.workspaceId, id }, [
      { ...log, response: mark, payload },
    ]);
    return { id, log: made ?? 0 };
  },
  '/v1/blacklist/:id': created('/blacklist', ({ mark }) => ({ email: `${mark}@blocked.example` })),
  '/v1/blacklist/:email': async ({ mark }) => ({ email: `${mark}@blocked.example` }),
};
