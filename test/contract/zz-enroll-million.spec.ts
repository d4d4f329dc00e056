import { startService, type TestService } from '../support/service.js';
import { BEGINNING, isAfter } from '../../src/campaigns/enrollments/place.js';
import { listMembers } from '../../src/campaigns/enrollments/enrollment-source.js';
import { Workspaces } from '../../src/workspaces/index.js';
describe('million', () => {
  let service: TestService;
  beforeAll(async () => { service = await startService(); });
  afterAll(() => service.stop());
  it('enrolls', async () => {
    const api = await service.client();
    const q = service.database.query;
    const t = async (name: string, work: () => Promise<unknown>) => { const s = Date.now(); const r = await work(); console.log(name, Date.now() - s, 'ms', JSON.stringify(r)?.slice(0, 200)); return r; };
    await q(`INSERT INTO contacts (workspace_id, email, first_name, created_at) SELECT $1, 'c' || n || '@example.com', 'C' || n, now() - (200000 - n) * interval '1 second' FROM generate_series(1, 200000) n`, [api.workspaceId]);
    const { data: list } = await api.post('/lists', { name: 'all' });
    await q(`INSERT INTO list_members (workspace_id, list_id, contact_id, contact_created_at) SELECT workspace_id, $2, id, created_at FROM contacts WHERE workspace_id = $1`, [api.workspaceId, list.id]);
    await q('VACUUM ANALYZE');
    const steps = [{ subject: 's', body: 'b', delay_minutes: 10 }, { subject: 's', body: 'b' }];
    const bare = async (extra = '') => {
      const { data: c } = await api.post('/campaigns', { name: 'bare', steps });
      const stepId = (await api.get(`/campaigns/${c.id}/steps`)).data[0].id;
      await t('bare ' + extra, async () => {
        let last = 0;
        for (;;) {
          const [row] = await q<any>(`WITH b AS MATERIALIZED (SELECT id FROM contacts WHERE workspace_id = $1 AND id > $2 ORDER BY id LIMIT 5000 ${extra.includes('share') ? 'FOR SHARE' : ''}), i AS (INSERT INTO enrollments (workspace_id, campaign_id, contact_id, current_step_id, next_due_at) SELECT $1, $3, id, $4, now() FROM b ${extra.includes('conflict') ? 'ON CONFLICT (workspace_id, campaign_id, contact_id) DO NOTHING' : ''}) SELECT max(id)::int AS last FROM b`, [api.workspaceId, last, c.id, stepId]);
          if (!row.last) break;
          last = row.last;
        }
      });
    };
    for (let round = 0; round < 2; round++) {
      await bare();
      await bare('share');
      await bare('conflict');
      const { data: c } = await api.post('/campaigns', { name: 'c', steps });
      await t('enroll', async () => (await api.post(`/campaigns/${c.id}/contacts/enroll-from-lists`, { list_ids: [list.id] })).data);
    }
    const scope = await service.app.get(Workspaces, { strict: false }).scope(api.workspaceId);
    const s = listMembers(scope, [list.id])(BEGINNING, 5000).toQuery();
    void isAfter;
    console.log((await q<any>('EXPLAIN ANALYZE ' + s.text, s.values)).map((r) => r['QUERY PLAN']).join('\n'));
  }, 600000);
});
