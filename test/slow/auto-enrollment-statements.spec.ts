import { candidatesAmong, isListed } from '../../src/campaigns/auto-enrollment/candidates.queries.js';
import { dueAutoEnrollment } from '../../src/campaigns/auto-enrollment/due-auto-enrollment.cross-tenant.js';
import { FIRST_CURSOR } from '../../src/campaigns/enrollments/creation-cursor.js';
import { allContacts, contactsNotRemoved, listMembers } from '../../src/campaigns/enrollments/enrollment-source.js';
import { allInRealTime, Database, sql } from '../../src/platform/database/index.js';
import { WorkspaceScope } from '../../src/platform/tenancy/index.js';
import { SegmentMembers } from '../../src/segments/index.js';
import type { ApiClient } from '../support/api-client.js';
import { Given } from '../support/given.js';
import { type PlanCost, planCost } from '../support/plan-cost.js';
import { useService } from '../support/service.js';

const CONTACTS = 1_000_000;
const TABLES = ['contacts', 'list_members', 'tag_members', 'ordered_values', 'enrollments', 'removed_enrollments'];

/** One contact has a row in each table; indexes of a million rows have three or four levels. */
const MAX_BLOCKS = 60;

describe('auto-enrollment from a list and segments with a million contacts', () => {
  const service = useService();
  let api: ApiClient;
  let scope: WorkspaceScope;
  let list: number;
  let campaign: number;
  let segments: number[];

  beforeAll(async () => {
    api = await service.client();
    scope = await WorkspaceScope.open(api.workspaceId, service.app.get(Database));
    const given = new Given(api, service.database);
    list = (await given.group('/lists')).id;
    const tag = await given.group('/tags');
    await given.group('/custom-fields', { key: 'score', label: 'Score', type: 'number' });
    campaign = (await given.campaign({ auto_enroll: { list_ids: [list] } })).id;
    const conditions = [
      [{ field: 'tag_id', operator: 'equals', value: String(tag.id) }],
      [{ field: 'list_id', operator: 'not_equals', value: String(list) }],
      [
        { field: 'tag_id', operator: 'equals', value: String(tag.id) },
        { field: 'list_id', operator: 'equals', value: String(list), connector: 'or' },
        { field: 'custom_fields.score', operator: 'greater_than', value: '5' },
      ],
      [{ field: 'email', operator: 'contains', value: 'person' }],
    ];
    segments = [];
    for (const each of conditions) segments.push((await given.segment(each)).id);
    await fill(tag.id);
  });

  /** Without foreign keys and indexes for searches it takes a quarter of the time. */
  async function fill(tag: number): Promise<void> {
    await service.database.query(
      `DO $$ DECLARE each record; BEGIN
         FOR each IN SELECT conrelid::regclass AS name, conname FROM pg_constraint WHERE contype = 'f'
           AND conrelid = ANY ('{contacts, list_members, tag_members, enrollments}'::regclass[])
         LOOP EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', each.name, each.conname); END LOOP;
         FOR each IN SELECT index.oid::regclass AS name FROM pg_index JOIN pg_class index ON index.oid = indexrelid
           JOIN pg_am method ON method.oid = index.relam WHERE indrelid = 'contacts'::regclass AND method.amname = 'gin'
         LOOP EXECUTE format('DROP INDEX %s', each.name); END LOOP;
       END $$`,
    );
    await service.database.query(
      `WITH contact AS (
         INSERT INTO contacts (workspace_id, email)
         SELECT $1, 'person' || n || '@example.com' FROM generate_series(1, $2::int) n RETURNING id, created_at
       ), listed AS (
         INSERT INTO list_members (workspace_id, list_id, contact_id, contact_created_at)
         SELECT $1, $3, id, created_at FROM contact
       ), tagged AS (
         INSERT INTO tag_members (workspace_id, tag_id, contact_id, contact_created_at)
         SELECT $1, $4, id, created_at FROM contact
       )
       INSERT INTO enrollments (workspace_id, campaign_id, contact_id) SELECT $1, $5, id FROM contact WHERE id % 2 = 0`,
      [api.workspaceId, CONTACTS, list, tag, campaign],
    );
    await service.database.query('ANALYZE contacts, list_members, tag_members, enrollments');
  }

  const examine = async (contactIds: readonly number[], segmentIds: readonly number[]): Promise<PlanCost> => {
    const lookups = await service.app.get(SegmentMembers, { strict: false }).lookups(scope, segmentIds);
    const isMember = sql.any([isListed(scope, [list]), ...lookups.values()]);
    return planCost(service.database, candidatesAmong(scope, campaign, contactIds, isMember), TABLES);
  };
  const someContacts = async (count: number): Promise<number[]> => {
    const rows = await service.database.query<{ id: string }>(
      `SELECT id FROM contacts WHERE workspace_id = $1 AND id % 2 = 1 AND id % 499 = 0 LIMIT $2`,
      [api.workspaceId, count],
    );
    return rows.map(({ id }) => Number(id));
  };

  it('reads the rows of one changed contact, whatever the lists and conditions are', async () => {
    const [contact] = await someContacts(1);
    for (const ids of [[], ...segments.map((id) => [id]), segments]) {
      const { rows, scanned, blocks } = await examine([Number(contact)], ids);
      expect({ rows, scanned }).toEqual({ rows: 1, scanned: [] });
      expect(blocks).toBeLessThan(MAX_BLOCKS);
    }
  });

  it('reads the rows of a thousand changed contacts, and no table as a whole', async () => {
    const contacts = await someContacts(1_000);
    const { rows, scanned, blocks } = await examine(contacts, segments);
    expect({ rows, scanned }).toEqual({ rows: 1_000, scanned: [] });
    expect(blocks).toBeLessThan(1_000 * MAX_BLOCKS);
  });

  it('finds the contacts to enroll by their IDs', async () => {
    for (const contacts of [await someContacts(1), await someContacts(1_000)]) {
      const source = contactsNotRemoved(scope, campaign, contacts)(FIRST_CURSOR, contacts.length);
      const { rows, scanned } = await planCost(service.database, source, TABLES);
      expect({ rows, scanned }).toEqual({ rows: contacts.length, scanned: [] });
    }
  });

  it('reads a chunk of the members, wherever it is, along an index', async () => {
    const [row] = await service.database.query<{ created_at: Date; id: string }>(
      'SELECT created_at, id FROM contacts WHERE workspace_id = $1 ORDER BY created_at, id OFFSET 900000 LIMIT 1',
      [api.workspaceId],
    );
    const cursor = { created_at: row?.created_at ?? new Date(), id: Number(row?.id) };
    for (const source of [listMembers(scope, [list]), allContacts(scope)]) {
      const { rows, scanned } = await planCost(service.database, source(cursor, 2_000), TABLES);
      expect(scanned).toEqual([]);
      expect(rows).toBeLessThanOrEqual(2_000);
    }
  });

  it('finds out that changes wait without reading them', async () => {
    await service.database.query(`UPDATE campaigns SET status = 'active' WHERE id = $1`, [campaign]);
    await service.database.query(
      'INSERT INTO changed_contacts (workspace_id, contact_id) SELECT $1, n FROM generate_series(1, $2::int) n',
      [api.workspaceId, CONTACTS],
    );
    await service.database.query('ANALYZE changed_contacts, campaigns');
    const keys = dueAutoEnrollment(allInRealTime);
    expect(await service.database.query(keys.toQuery().text, keys.toQuery().values)).toMatchObject([
      { workspace_id: api.workspaceId },
    ]);
    expect((await planCost(service.database, keys, ['campaigns', 'changed_contacts'])).blocks).toBeLessThan(MAX_BLOCKS);
  });
});
