import { join } from 'node:path';
import { ApiClient } from '../support/api-client.js';
import { outreach, OutreachProcess } from '../support/command-line.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { joinNodes } from '../support/joined-nodes.js';
import { startService, type TestService } from '../support/service.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const WORKSPACES = 3;
const CONTACTS = 20;
/** How many tables are placed before the command is killed. */
const SOME_TABLES = 12;
const ENCRYPTION_KEY = 'a key that only tests use';
const NODES = process.env.TEST_NODE_URLS?.split(' ') ?? [];
const notesModule = (version: string): string => join(import.meta.dirname, `notes/${version}.mjs`);

type Row = Record<string, unknown>;

describe('a filled database that is distributed in place', () => {
  let database: TestDatabase;
  let service: TestService;
  const clients: ApiClient[] = [];
  let rowsBefore: Record<string, unknown[]>;
  /** The tables that each of the two runs has placed. */
  let placed: { first: number; second: string[] };

  const env = (more: Record<string, string> = {}) => ({ DATABASE_URL: database.url, ENCRYPTION_KEY, ...more });
  const run = async (command: string, more = {}) => {
    const { code, stdout, stderr } = await outreach([...command.split(' '), '--json'], env(more));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return JSON.parse(stdout);
  };
  /** Those of one server have no partitions of it in the engine's list. */
  const countPlaced = async (): Promise<number> => {
    const [row] = await database.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM pg_dist_partition WHERE partmethod IN ('h', 'n')`,
    );
    return row?.count ?? 0;
  };
  /** All rows of all tables, but what a command or a start of the service writes. */
  const allRows = async (): Promise<Record<string, unknown[]>> => {
    const tables = await database.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class
       WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition AND relname !~ '^citus_'
         AND relname <> ALL('{migrations,scheduled_tasks,typeorm_metadata}') ORDER BY 1`,
    );
    const rows: Record<string, unknown[]> = {};
    for (const { name } of tables) {
      const found = await database.query<Row>(`SELECT * FROM ${name}`);
      rows[name] = found.map((row) => JSON.stringify({ ...row, last_used_at: null })).sort();
    }
    return rows;
  };

  beforeAll(async () => {
    database = await createTestDatabase('template1');
    await run('migrate');
    service = await startService({}, database);
    for (let n = 0; n < WORKSPACES; n += 1) clients.push(await fill(service));
    await service.stop();
    rowsBefore = await allRows();
    await joinNodes(NODES, new URL(database.url).pathname.slice(1));
  });
  afterAll(async () => {
    await service.stop();
    await database.drop();
  });

  it('goes on where it was killed, and has the rows and the counters that it had before', async () => {
    const killed = new OutreachProcess(['database', 'distribute', '--yes'], env());
    await eventually(async () => expect(await countPlaced()).toBeGreaterThan(SOME_TABLES));
    killed.kill('SIGKILL');
    await killed.ended;
    await database.disconnectAll();
    const first = await countPlaced();
    const { placed: second } = await run('database distribute --yes');
    placed = { first, second: second.map(({ table }: { table: string }) => table) };
    expect(placed.second.length).toBeGreaterThan(0);
    expect(placed.second).not.toContain('workspaces');
    expect(await allRows()).toEqual(rowsBefore);
  });

  it('keeps no copies of the rows on the coordinator, and does nothing when it runs once more', async () => {
    const left = await database.query(
      `SELECT logicalrelid FROM pg_dist_partition WHERE partmethod = 'h' AND pg_relation_size(logicalrelid) > 0`,
    );
    expect(left).toEqual([]);
    expect(await run('database distribute --yes')).toEqual({ placed: [] });
  });

  it('serves requests of its workspaces, and triggers go on with their counters', async () => {
    service = await startService({}, database);
    for (const { token, workspaceId } of clients) {
      const api = new ApiClient(service.url, token, workspaceId);
      expect((await api.get('/contacts')).body.meta.total).toBe(CONTACTS);
      const { status } = await api.post('/contacts', { email: 'new@example.com', custom_fields: { age: 50 } });
      expect(status).toBe(201);
      expect((await api.get('/contacts')).body.meta.total).toBe(CONTACTS + 1);
      const [list] = (await api.get('/lists')).data;
      expect(list.contacts_count).toBe(CONTACTS);
      const { data: members } = await api.get(`/contacts?list_id=${list.id}`);
      await api.delete(`/contacts/${members[0].id}`);
      expect((await api.get('/contacts')).body.meta.total).toBe(CONTACTS);
      expect((await api.get(`/lists/${list.id}`)).data.contacts_count).toBe(CONTACTS - 1);
    }
  });

  describe('when later migrations run', () => {
    const placementOf = async (table: string): Promise<string | undefined> => {
      const [row] = await database.query<{ method: string }>(
        `SELECT partmethod AS method FROM pg_dist_partition WHERE logicalrelid = $1::regclass`,
        [table],
      );
      return row?.method;
    };
    const addNote = async (): Promise<number> => {
      const [contact] = await database.query<{ workspace_id: string; id: string }>(
        'SELECT workspace_id, id FROM contacts ORDER BY workspace_id, id LIMIT 1',
      );
      await database.query('INSERT INTO notes_notes (workspace_id, contact_id, text) VALUES ($1, $2, $3)', [
        contact?.workspace_id,
        contact?.id,
        'N',
      ]);
      return Number(contact?.workspace_id);
    };

    it('places the tables that they have created', async () => {
      expect(await run('migrate', { OUTREACH_MODULES: notesModule('first') })).toEqual({
        applied: ['CreateNotes1790000000001'],
      });
      expect(await placementOf('notes_notes')).toBe('h');
      expect(await placementOf('notes_colors')).toBe('n');
      expect(await placementOf('notes_extension_migrations')).toBeUndefined();
      await addNote();
    });

    it('changes distributed tables, and gives triggers the functions for several nodes again', async () => {
      await run('migrate', { OUTREACH_MODULES: notesModule('second') });
      const workspaceId = await addNote();
      const counted = await database.query(
        `SELECT FROM record_counts WHERE workspace_id = $1 AND counted = 'notes_notes'`,
        [workspaceId],
      );
      expect(counted).toHaveLength(1);
      const insert = database.query(`INSERT INTO contacts (workspace_id, email) VALUES ($1, 'later@example.com')`, [
        workspaceId,
      ]);
      await expect(insert).resolves.toEqual([]);
    });
  });
});

/** A workspace with rows in tables of each kind, some of which triggers have written. */
async function fill(service: TestService): Promise<ApiClient> {
  const api = await service.client();
  const given = new Given(api, service.database);
  await given.group('/custom-fields', { key: 'age', label: 'Age', type: 'number' });
  const contacts = await given.contacts(CONTACTS);
  await service.database.query(
    `UPDATE contacts SET custom_fields = jsonb_build_object('age', id) WHERE workspace_id = $1`,
    [api.workspaceId],
  );
  const list = await given.group('/lists');
  await service.database.query(
    `INSERT INTO list_members (workspace_id, list_id, contact_id, contact_created_at)
     SELECT workspace_id, $2, id, created_at FROM contacts WHERE workspace_id = $1 AND id = ANY($3)`,
    [api.workspaceId, list.id, contacts],
  );
  await given.group('/tags');
  await api.post('/webhooks', { url: 'https://example.com/hook', events: ['contact.created'] });
  await given.contact();
  const [first] = contacts;
  if (first !== undefined) await given.sentMessage(first);
  await service.database.query(`DELETE FROM contacts WHERE workspace_id = $1 AND id > $2`, [
    api.workspaceId,
    contacts.at(-1),
  ]);
  return api;
}
