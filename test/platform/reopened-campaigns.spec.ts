import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../ormconfig.js';
import { migrations } from '../../src/app/migrations/index.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const REOPENED = 1795200000099;
const versionOf = ({ name }: { readonly name: string }): number => Number(name.slice(-13));

/** Campaigns before the migration, what they have, and what becomes of them. */
const CAMPAIGNS: readonly (readonly [
  status: string,
  enrollment: string | null,
  hasStep: boolean,
  autoEnrolls: boolean,
  expected: string,
  reason: string | null,
])[] = [
  ['completed', 'pending', true, false, 'paused', null],
  ['completed', 'in_progress', true, false, 'paused', null],
  ['completed', null, true, true, 'paused', null],
  ['completed', 'completed', true, false, 'completed', null],
  ['active', 'pending', true, false, 'active', null],
  ['active', 'pending', false, false, 'paused', 'no_step'],
  ['draft', 'pending', false, false, 'draft', null],
];

describe('the migration to campaigns that are completed only while they have no work', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase('template1');
    await migrate((version) => version < REOPENED);
    await database.query(`INSERT INTO workspaces (id, name) OVERRIDING SYSTEM VALUE VALUES (1, 'W')`);
    await database.query(
      `INSERT INTO contacts (workspace_id, id, email) OVERRIDING SYSTEM VALUE VALUES (1, 1, 'a@b.example')`,
    );
    for (const [index, [status, enrollment, hasStep, autoEnrolls]] of CAMPAIGNS.entries()) {
      const id = index + 1;
      await database.query(
        `INSERT INTO campaigns (workspace_id, id, name, status, auto_enrolls, completed_at) OVERRIDING SYSTEM VALUE
         VALUES (1, $1, 'C', $2, $3, CASE $2 WHEN 'completed' THEN '2026-03-01'::timestamptz END)`,
        [id, status, autoEnrolls],
      );
      if (hasStep)
        await database.query(
          `INSERT INTO campaign_steps (workspace_id, campaign_id, position, subject, body) VALUES (1, $1, 1, 'S', 'B')`,
          [id],
        );
      if (enrollment)
        await database.query(
          'INSERT INTO enrollments (workspace_id, campaign_id, contact_id, status) VALUES (1, $1, 1, $2)',
          [id, enrollment],
        );
    }
    await migrate((version) => version <= REOPENED);
  });
  afterAll(() => database.drop());

  async function migrate(isApplied: (version: number) => boolean): Promise<void> {
    const applied = migrations.filter((migration) => isApplied(versionOf(migration)));
    const source = await new DataSource({ ...dataSourceOptions(database.url, 2), migrations: applied }).initialize();
    await source.runMigrations().finally(() => source.destroy());
  }

  it('pauses those that were completed and have work, and active ones without a step, and no others', async () => {
    const campaigns = await database.query<{ status: string; reason: string | null }>(
      'SELECT status, pause_reason AS reason FROM campaigns ORDER BY id',
    );
    expect(campaigns).toEqual(CAMPAIGNS.map(([, , , , status, reason]) => ({ status, reason })));
  });

  it('leaves the dates that the status has: of those that were completed, the pause began then', async () => {
    const dates = await database.query<{ status: string; is_paused: boolean; is_completed: boolean }>(
      `SELECT DISTINCT status, paused_at IS NOT NULL AS is_paused, completed_at IS NOT NULL AS is_completed
       FROM campaigns ORDER BY status`,
    );
    expect(dates).toEqual([
      { status: 'active', is_paused: false, is_completed: false },
      { status: 'completed', is_paused: false, is_completed: true },
      { status: 'draft', is_paused: false, is_completed: false },
      { status: 'paused', is_paused: true, is_completed: false },
    ]);
    expect(
      await database.query(`SELECT count(*)::int AS count FROM campaigns WHERE paused_at = '2026-03-01'::timestamptz`),
    ).toEqual([{ count: 3 }]);
  });
});
