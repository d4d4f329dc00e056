import pg from 'pg';
import { AutoEnrollment } from '../../src/campaigns/auto-enrollment/auto-enrollment.service.js';
import { Database } from '../../src/platform/database/index.js';
import { WorkspaceScope } from '../../src/platform/tenancy/index.js';
import type { ApiClient } from '../support/api-client.js';
import type { Schema } from '../support/api-schemas.js';
import { BlockingTransaction } from '../support/blocking-transaction.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { WorkerProcesses } from '../support/service-process.js';
import { useService } from '../support/service.js';

const LATER = [{ subject: 'Later', body: '<p>Later</p>', delay_minutes: 10_000 }];

describe('auto-enrollment', () => {
  const service = useService();
  const workers = new WorkerProcesses(service);
  let sink: MailSink;
  let api: ApiClient;
  let given: Given;
  let list: Schema<'ContactList'>;
  let campaign: Schema<'Campaign'>;
  let open: pg.Client | undefined;
  beforeEach(async () => {
    sink = await MailSink.start();
    ({ api, given, list, campaign } = await context());
  });
  afterEach(async () => {
    await open?.end();
    open = undefined;
    await workers.kill();
    await sink.stop();
  });

  /** A workspace with a campaign that enrolls the members of an empty list, once it is started. */
  async function context() {
    const client = await service.client();
    const own = new Given(client, service.database);
    await own.mailbox(sink);
    const group = await own.group('/lists');
    const created = await own.campaign({ steps: LATER, auto_enroll: { list_ids: [group.id] } });
    return { api: client, given: own, list: group, campaign: created };
  }

  const start = async (client = api, { id } = campaign) =>
    expect((await client.post(`/campaigns/${id}/start`)).status).toBe(200);
  const count = async (table: string, { workspaceId } = api): Promise<number> => {
    const [row] = await service.database.query<{ rows: number }>(
      `SELECT count(*)::int AS rows FROM ${table} WHERE workspace_id = $1`,
      [workspaceId],
    );
    return row?.rows ?? 0;
  };
  const eventuallyHas = (table: string, rows: number, client = api) =>
    eventually(async () => expect([table, await count(table, client)]).toEqual([table, rows]));
  const settled = async () => {
    await eventuallyHas('auto_enroll_passes', 0);
    await eventuallyHas('changed_contacts', 0);
  };
  const importInto = async (rows: number) => {
    const form = new FormData();
    const lines = Array.from({ length: rows }, (_, row) => `person${row}@example.com`);
    form.set('file', new Blob([`email\n${lines.join('\n')}\n`]), 'contacts.csv');
    form.set('lists[]', String(list.id));
    expect((await api.post('/contacts/import', form)).data.imported).toBe(rows);
  };
  /** A transaction of another client, which the test commits. */
  const begin = async (...statements: readonly (readonly [string, readonly unknown[]])[]): Promise<pg.Client> => {
    open = new pg.Client({ connectionString: service.database.url, application_name: 'tests' });
    await open.connect();
    await open.query('BEGIN');
    for (const [statement, values] of statements) await open.query(statement, [...values]);
    return open;
  };
  const JOIN = `INSERT INTO list_members (workspace_id, list_id, contact_id, contact_created_at)
    SELECT workspace_id, $2, id, created_at FROM contacts WHERE workspace_id = $1 AND id = $3`;
  const TOUCH = 'UPDATE contacts SET updated_at = now() WHERE workspace_id = $1 AND id = $2';

  /** Waits until all members were read. No contact is enrolled. */
  const lastPassWaits = async () => {
    await eventually(async () => {
      const passes = await service.database.query(
        'SELECT list_index, after_id, is_last FROM auto_enroll_passes WHERE workspace_id = $1',
        [api.workspaceId],
      );
      expect(passes).toEqual([{ list_index: 0, after_id: 0, is_last: true }]);
    });
    expect(await count('enrollments')).toBe(0);
  };

  /** Commits a transaction that has changed one contact without noting it: the last pass enrolls the contact. */
  const enrollsAfterCommit = async (transaction: pg.Client) => {
    await lastPassWaits();
    await transaction.query('COMMIT');
    expect(await count('changed_contacts')).toBe(0);
    await eventuallyHas('enrollments', 1);
    await settled();
  };

  it('enrolls the contacts of an import, each once, although workers are killed in the middle', async () => {
    await start();
    await workers.run(1);
    await settled();
    const block = await BlockingTransaction.begin(service.database, 'LOCK TABLE due_steps IN EXCLUSIVE MODE', []);
    await importInto(2_500);
    await block.blocks(1);
    await workers.kill();
    await service.database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    await block.end();
    expect(await count('enrollments')).toBe(0);
    await workers.run(2);
    await eventuallyHas('enrollments', 2_500);
    await settled();
    expect(await count('due_steps')).toBe(2_500);
  });

  it('enrolls the members at the start once, although two workers read them', async () => {
    const contacts = await given.contacts(5_000);
    await service.database.query(
      `INSERT INTO list_members (workspace_id, list_id, contact_id, contact_created_at)
       SELECT workspace_id, $2, id, created_at FROM contacts WHERE workspace_id = $1`,
      [api.workspaceId, list.id],
    );
    await workers.run(2);
    await start();
    await eventuallyHas('enrollments', contacts.length);
    await settled();
    expect(await count('enrollments')).toBe(contacts.length);
  });

  it('enrolls a contact of a transaction that began before the start, and ends after all members were read', async () => {
    const [contact] = await given.contacts(1);
    const { workspaceId } = api;
    const transaction = await begin([JOIN, [workspaceId, list.id, contact]], [TOUCH, [workspaceId, contact]]);
    await start();
    await workers.run(1);
    await enrollsAfterCommit(transaction);
  });

  it('enrolls a contact of a transaction that began during the start and did not see it', async () => {
    const [contact] = await given.contacts(1);
    const { workspaceId } = api;
    const block = await BlockingTransaction.begin(service.database, 'LOCK TABLE auto_enroll_passes IN SHARE MODE', []);
    const starting = start();
    await block.blocks(1);
    const transaction = await begin([JOIN, [workspaceId, list.id, contact]], [TOUCH, [workspaceId, contact]]);
    await block.end();
    await starting;
    await workers.run(1);
    await enrollsAfterCommit(transaction);
  });

  it('does not wait for a transaction in another database of the server', async () => {
    await given.contacts(1);
    const otherDatabase = new URL(service.database.url);
    otherDatabase.pathname = '/postgres';
    open = new pg.Client({ connectionString: otherDatabase.href, application_name: 'tests' });
    await open.connect();
    await open.query('BEGIN');
    await open.query('SELECT pg_current_xact_id()');
    await workers.run(1);
    await start();
    await settled();
  });

  it('leaves out a contact that a request removes while a worker enrolls it', async () => {
    const [contact, other] = await given.contacts(2);
    const { workspaceId } = api;
    await start();
    // The worker waits in the statement that enrolls both, which does not see what is committed meanwhile.
    const transaction = await begin([
      'SELECT 1 FROM contacts WHERE workspace_id = $1 AND id = $2 FOR NO KEY UPDATE',
      [workspaceId, contact],
    ]);
    for (const id of [contact, other]) await service.database.query(JOIN, [workspaceId, list.id, id]);
    await workers.run(1);
    await eventually(async () => {
      const [waiting] = await service.database.query(
        `SELECT 1 AS one FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
           AND query LIKE 'WITH input AS MATERIALIZED%matched AS MATERIALIZED%'`,
      );
      expect(waiting).toEqual({ one: 1 });
    });
    await service.database.query(
      'INSERT INTO removed_enrollments (workspace_id, campaign_id, contact_id) VALUES ($1, $2, $3)',
      [workspaceId, campaign.id, contact],
    );
    await transaction.query('COMMIT');
    await settled();
    const enrolled = await service.database.query('SELECT contact_id FROM enrollments WHERE workspace_id = $1', [
      workspaceId,
    ]);
    expect(enrolled).toEqual([{ contact_id: other }]);
    expect(await count('due_steps')).toBe(1);
  });

  it('reads all members instead of changes that are too many', async () => {
    const [first, second] = (await given.contacts(2)).map(Number);
    await start();
    await workers.run(1);
    await settled();
    await workers.kill();
    const { workspaceId } = api;
    await service.database.query(
      'INSERT INTO changed_contacts (workspace_id, id, contact_id) VALUES ($1, -1000000, $2), ($1, 1, $2)',
      [workspaceId, first],
    );
    await api.post(`/lists/${list.id}/contacts`, { contact_ids: [first] });
    await api.post(`/lists/${list.id}/contacts`, { contact_ids: [second] });
    const noted = await service.database.query(
      'SELECT contact_id FROM changed_contacts WHERE workspace_id = $1 AND id > 1',
      [workspaceId],
    );
    expect(noted).toEqual([{ contact_id: null }]);
    await workers.run(1);
    await eventuallyHas('enrollments', 2);
    await settled();
  });

  it('of a workspace is not delayed by a million changes in another one', async () => {
    const other = await context();
    await start();
    // All of them examine each change, so that no fast worker is done with a million before the contact is enrolled.
    for (let n = 0; n < 20; n++)
      await start(api, await given.campaign({ steps: LATER, auto_enroll: { list_ids: [list.id] } }));
    await start(other.api, other.campaign);
    await workers.run(1);
    await settled();
    await service.database.query(
      'INSERT INTO changed_contacts (workspace_id, contact_id) SELECT $1, n FROM generate_series(1, 1000000) n',
      [api.workspaceId],
    );
    const contact = await other.given.contact({ lists: [other.list.id] });
    await eventuallyHas('enrollments', 1, other.api);
    expect(await count('changed_contacts')).toBeGreaterThan(100_000);
    expect((await other.api.get(`/campaigns/${other.campaign.id}/contacts/${contact.id}`)).status).toBe(200);
  });

  it('goes on with the next campaign when the time of a run was over in a batch, and examines later changes in all', async () => {
    const scope = await WorkspaceScope.open(api.workspaceId, service.app.get(Database));
    const autoEnrollment = service.app.get(AutoEnrollment, { strict: false });
    const [first, second] = await given.contacts(2);
    const others = [1, 2].map(() => given.campaign({ steps: LATER, auto_enroll: { list_ids: [list.id] } }));
    for (const each of [campaign, ...(await Promise.all(others))]) await start(api, each);
    const run = () => autoEnrollment.enrollChanged(scope, 0, () => true);
    const join = (id?: number) => api.post(`/lists/${list.id}/contacts`, { contact_ids: [id] });
    const enrolled = async () =>
      service.database.query(
        `SELECT contact_id::int, count(*)::int AS campaigns FROM enrollments WHERE workspace_id = $1
         GROUP BY contact_id ORDER BY contact_id`,
        [api.workspaceId],
      );
    await join(first);
    await run();
    expect(await enrolled()).toEqual([{ contact_id: first, campaigns: 1 }]);
    await join(second);
    await run();
    await run();
    expect(await enrolled()).toEqual([{ contact_id: first, campaigns: 3 }]);
    for (let runs = 0; runs < 3; runs++) await run();
    expect(await enrolled()).toEqual([first, second].map((contact_id) => ({ contact_id, campaigns: 3 })));
    expect(await run()).toBeUndefined();
    expect(await count('changed_contacts')).toBe(0);
  });

  it('notes nothing in a workspace without an active campaign that enrolls by itself', async () => {
    const draft = await given.contacts(1);
    expect(await count('changed_contacts')).toBe(0);
    await start();
    await api.put(`/contacts/${draft[0]}`, { first_name: 'Ann' });
    expect(await count('changed_contacts')).toBe(1);
    await api.post(`/campaigns/${campaign.id}/pause`);
    await api.put(`/contacts/${draft[0]}`, { first_name: 'Bob' });
    expect(await count('changed_contacts')).toBe(1);
  });
});
