import { Database, Statistics } from '../../src/platform/database/index.js';
import type { ApiClient } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { useService } from '../support/service.js';

const KNOWN = 40_000;
const CONTACTS = 2_000;
/** The rows of an import or of an enrollment are found, checked, changed, recorded and shown by some statements each. */
const MAX_READS_OF_ROW = 60;
/** A page of a list is counted, found and read. */
const MAX_READS_OF_PAGE = 3;

describe(`statements about ${CONTACTS} contacts of a workspace that the statistics do not know`, () => {
  const service = useService();
  let api: ApiClient;
  let list: { id: number };

  beforeAll(async () => {
    const { workspaceId } = await service.client();
    await service.database.query(
      `INSERT INTO contacts (workspace_id, email) SELECT $1, 'known' || n || '@example.com' FROM generate_series(1, $2::int) n`,
      [workspaceId, KNOWN],
    );
    await service.database.query('ANALYZE contacts');
    api = await service.client();
    ({ data: list } = await api.post('/lists', { name: 'All' }));
    await api.post('/custom-fields', { name: 'Size', key: 'size', type: 'number' });
  });

  const knownWorkspaces = async () => {
    const [row] = await service.database.query<{ ids: string[] }>(
      `SELECT most_common_vals::text::text[] AS ids FROM pg_stats WHERE tablename = 'contacts' AND attname = 'workspace_id'`,
    );
    return row?.ids;
  };
  /** Rows of contacts that scans and indexes have returned, in all sessions. */
  const reads = async (): Promise<number> => {
    const [row] = await service.database.query<{ reads: string }>(
      `SELECT seq_tup_read + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes WHERE relname = 'contacts') AS reads
       FROM pg_stat_user_tables WHERE relname = 'contacts'`,
    );
    return Number(row?.reads);
  };
  /** The sessions of the service report what they have read when they end; idle ones, up to ten seconds later. */
  const endSessions = () =>
    service.database.query(
      `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
       WHERE datname = current_database() AND usename = current_user AND application_name <> 'tests'`,
    );
  const readsOf = async (work: () => Promise<unknown>): Promise<number> => {
    await endSessions();
    const before = await reads();
    await work();
    await endSessions();
    const count = (await reads()) - before;
    expect(count).toBeGreaterThan(CONTACTS);
    return count;
  };
  const upload = async (mark: string) => {
    const form = new FormData();
    const rows = Array.from({ length: CONTACTS }, (_, n) => `new${n}@example.com,${mark},x${n},${n}`);
    form.append('file', new Blob([['email,first_name,external_id,size', ...rows].join('\n')]), 'contacts.csv');
    const mapping = {
      email: 'email',
      first_name: 'first_name',
      external_id: 'external_id',
      'custom_fields.size': 'size',
    };
    form.append('mapping', JSON.stringify(mapping));
    form.append('skip_duplicates', '0');
    form.append('lists[]', String(list.id));
    const { status, data } = await api.post('/contacts/import', form);
    expect(status).toBe(200);
    expect(data.imported + data.updated).toBe(CONTACTS);
  };

  it('read each contact a few times when an import creates them, and when one updates them', async () => {
    expect(await readsOf(() => upload('Ada'))).toBeLessThan(MAX_READS_OF_ROW * CONTACTS);
    expect(await readsOf(() => upload('Zoe'))).toBeLessThan(MAX_READS_OF_ROW * CONTACTS);
  });

  it('read each contact a few times for pages of a list, as soon as the statistics are refreshed', async () => {
    const statistics = new Statistics(service.app.get(Database));
    await eventually(async () => {
      await statistics.refresh();
      expect(await knownWorkspaces()).toHaveLength(2);
    });
    expect(await statistics.refresh()).not.toContain('contacts');
    const sorts = ['email', 'job_title', 'lifecycle_stage', 'created_at'];
    const pages = async () => {
      for (const sort of sorts) {
        const { body } = await api.get(`/contacts?list_id=${list.id}&status=active&sort=${sort}&per_page=100&page=16`);
        expect(body.meta).toMatchObject({ count: 100, total: CONTACTS });
      }
    };
    expect(await readsOf(pages)).toBeLessThan(sorts.length * MAX_READS_OF_PAGE * CONTACTS);
  });

  it('read each contact a few times when they are enrolled', async () => {
    const { id } = await new Given(api, service.database).campaign({ steps: [{ subject: 'Hi', body: '<p>Hi</p>' }] });
    const enroll = () => api.post(`/campaigns/${id}/contacts/enroll-from-lists`, { list_ids: [list.id] });
    expect(await readsOf(enroll)).toBeLessThan(MAX_READS_OF_ROW * CONTACTS);
  });
});
