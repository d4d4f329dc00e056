import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../ormconfig.js';
import { migrations } from '../../src/app/migrations/index.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const OWNERS = 1795200000093;
const versionOf = ({ name }: { readonly name: string }): number => Number(name.slice(-13));

/** The tracking domains of workspaces, and since when they are verified. */
const WORKSPACES: readonly (readonly [id: number, domain: string | null, verifiedAt: string | null])[] = [
  [1, 'shared.example', '2026-03-02'],
  [2, 'shared.example', '2026-03-01'],
  [3, 'shared.example', '2026-03-01'],
  [4, 'shared.example', null],
  [5, 'own.example', '2026-03-03'],
  [6, 'waiting.example', null],
  [7, null, null],
];

describe('the migration to owners of tracking domains', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase('template1');
    await migrate((version) => version < OWNERS);
    for (const [id, domain, verifiedAt] of WORKSPACES) {
      await database.query(
        `INSERT INTO workspaces (id, name, tracking_domain, tracking_domain_verified_at)
         OVERRIDING SYSTEM VALUE VALUES ($1, 'W', $2, $3)`,
        [id, domain, verifiedAt],
      );
    }
    await migrate((version) => version <= OWNERS);
  });
  afterAll(() => database.drop());

  async function migrate(isApplied: (version: number) => boolean): Promise<void> {
    const applied = migrations.filter((migration) => isApplied(versionOf(migration)));
    const source = await new DataSource({ ...dataSourceOptions(database.url, 2), migrations: applied }).initialize();
    await source.runMigrations().finally(() => source.destroy());
  }
  const owners = async () =>
    (
      await database.query<{ owner: string }>(
        `SELECT domain || ' ' || workspace_id AS owner FROM tracking_domains ORDER BY domain`,
      )
    ).map(({ owner }) => owner);

  it('leaves a domain of several workspaces to the one that has verified it first', async () => {
    expect(await owners()).toEqual(['own.example 5', 'shared.example 2']);
    expect(
      await database.query('SELECT id::int FROM workspaces WHERE tracking_domain_verified_at IS NOT NULL ORDER BY id'),
    ).toEqual([{ id: 2 }, { id: 5 }]);
  });

  it('gives each workspace a value of its own for the TXT record', async () => {
    expect(await database.query('SELECT count(DISTINCT tracking_domain_token)::int AS tokens FROM workspaces')).toEqual(
      [{ tokens: WORKSPACES.length }],
    );
  });

  it('follows what processes of an earlier version write', async () => {
    await database.query(
      `UPDATE workspaces SET tracking_domain = NULL, tracking_domain_verified_at = NULL WHERE id = 2`,
    );
    expect(await owners()).toEqual(['own.example 5', 'shared.example 2']);
    await database.query('UPDATE workspaces SET tracking_domain_verified_at = now() WHERE id = 4');
    expect(await owners()).toEqual(['own.example 5', 'shared.example 4']);
    await expect(
      database.query('UPDATE workspaces SET tracking_domain_verified_at = now() WHERE id = 1'),
    ).rejects.toThrow('tracking_domain_owner');
  });
});
