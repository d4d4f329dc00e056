import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

/**
 * What an engine that distributes PostgreSQL by `workspace_id` cannot place on one node. The same list is in
 * docs/distribution.md, where each entry is explained.
 */
const NOT_CO_LOCATED = {
  tables: [
    'marketplace_pack_templates',
    'marketplace_packs',
    'marketplace_templates',
    'migrations',
    'quota_counters',
    'refusal_key',
    'scheduled_tasks',
    'typeorm_metadata',
    'workspaces',
  ],
  constraints: ['api_token_hash_once', 'oauth_state_hash', 'tracking_domain_once'],
  statements: [
    'app/doctor/due-work',
    'app/doctor/network-checks',
    'app/encryption-keys',
    'app/key-rotation/encrypted-values',
    'app/workspace-deletion/deleted-workspaces',
    'blacklist/global-blacklist',
    'campaigns/auto-enrollment/due-auto-enrollment',
    'campaigns/campaign/finished-campaigns',
    'campaigns/deletion/deleted-campaigns',
    'contacts/imports/due-imports',
    'email-accounts/email-account-metrics',
    'email-accounts/oauth/oauth-states',
    'inbound/events/due-callbacks',
    'inbound/events/failed-callbacks',
    'inbound/inbound-keys',
    'inbound/mailboxes/due-readings',
    'personal-data/erasure/due-erasures',
    'personal-data/erasure/waiting-erasures',
    'personal-data/retention/history-retention',
    'sandbox/clock/due-clocks',
    'sandbox/clock/sandbox-clocks',
    'sandbox/messages/old-messages',
    'sandbox/reactions/due-reactions',
    'sending/dispatch/leases',
    'sending/dispatch/uncertain-messages',
    'sending/due-messages',
    'sending/due-work',
    'sending/planning/due-campaigns',
    'tracking/events/undecided-events',
    'tracking/hosts/link-hosts',
    'webhooks/delivery/due-webhooks',
    'webhooks/retention/stale-webhooks',
    'webhooks/webhook-metrics',
    'workspaces/settings/due-tracking-domains',
    'workspaces/settings/tracking-domain-owners',
    'workspaces/tokens',
    'workspaces/workspaces',
  ],
};

const SOURCES = join(import.meta.dirname, '../../src');
const PAGE = join(import.meta.dirname, '../../docs/distribution.md');
/** Names of a column `workspace_id`, whatever table it is of. */
const WORKSPACE_COLUMN = `SELECT attrelid, attnum FROM pg_attribute WHERE attname = 'workspace_id' AND NOT attisdropped`;

describe('the schema can be distributed by workspace_id', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  const names = async (statement: string): Promise<string[]> =>
    (await database.query<{ name: string }>(statement)).map(({ name }) => name).sort();

  it('each table has a workspace_id, except those that are listed', async () => {
    const tables = await names(
      `SELECT class.relname AS name FROM pg_class class
       WHERE class.relnamespace = 'public'::regnamespace AND class.relkind IN ('r', 'p') AND NOT class.relispartition
         AND class.oid NOT IN (SELECT attrelid FROM (${WORKSPACE_COLUMN}) tenant)`,
    );
    expect(tables).toEqual(NOT_CO_LOCATED.tables);
  });

  it('each unique index of a table with a workspace_id contains it, except those that are listed', async () => {
    const indexes = await names(
      `SELECT DISTINCT class.relname AS name FROM pg_index index
       JOIN pg_class class ON class.oid = index.indexrelid
       JOIN (${WORKSPACE_COLUMN}) tenant ON tenant.attrelid = index.indrelid
       WHERE index.indisunique AND class.relnamespace = 'public'::regnamespace AND tenant.attnum <> ALL (index.indkey)`,
    );
    expect(indexes).toEqual(NOT_CO_LOCATED.constraints);
  });

  it('each foreign key between tables with a workspace_id contains it, at the same position on both sides', async () => {
    const all = await names(
      `SELECT conname AS name FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace`,
    );
    const coLocated = await names(
      `SELECT DISTINCT reference.conname AS name FROM pg_constraint reference
       JOIN (${WORKSPACE_COLUMN}) own ON own.attrelid = reference.conrelid
       LEFT JOIN (${WORKSPACE_COLUMN}) target ON target.attrelid = reference.confrelid
       WHERE reference.contype = 'f' AND reference.connamespace = 'public'::regnamespace
         AND (reference.confrelid = 'workspaces'::regclass
           OR array_position(reference.conkey, own.attnum) = array_position(reference.confkey, target.attnum))`,
    );
    const exceptions = all.filter((name) => !coLocated.includes(name));
    const ofMarketplace = await names(
      `SELECT conname AS name FROM pg_constraint
       WHERE contype = 'f' AND conrelid = 'marketplace_pack_templates'::regclass`,
    );
    expect(exceptions).toEqual(ofMarketplace);
  });

  it('each statement is limited to one workspace, except those that are listed', async () => {
    const tenantTables = await names(
      `SELECT class.relname AS name FROM pg_class class JOIN (${WORKSPACE_COLUMN}) tenant ON tenant.attrelid = class.oid
       WHERE class.relnamespace = 'public'::regnamespace AND class.relkind IN ('r', 'p')`,
    );
    const usesTenants = new RegExp(`(FROM|JOIN|INTO|UPDATE)\\s+(${[...tenantTables, 'workspaces'].join('|')})\\b`);
    const files = (await readdir(SOURCES, { recursive: true })).filter((file) => /(?<!\.spec)\.ts$/.test(file));
    const found: string[] = [];
    for (const file of files) {
      const text = await readFile(join(SOURCES, file), 'utf8');
      const isCrossTenant = file.endsWith('.cross-tenant.ts') && (usesTenants.test(text) || text.includes('owners'));
      if (isCrossTenant || (text.includes('${scope.crossTenant}') && usesTenants.test(text)))
        found.push(file.replace(/(\.cross-tenant)?\.ts$/, ''));
    }
    expect(found.sort()).toEqual(NOT_CO_LOCATED.statements);
  });

  it('docs/distribution.md explains each of them', async () => {
    const text = await readFile(PAGE, 'utf8');
    const named = [...text.matchAll(/`([a-z_/.-]+)`/g)].map(([, name]) => name);
    const expected = Object.values(NOT_CO_LOCATED).flat();
    expect(expected.filter((name) => !named.includes(name))).toEqual([]);
  });
});
