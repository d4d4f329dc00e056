import fc from 'fast-check';
import type { TestDatabase } from '../support/test-database.js';
import { CUSTOM_FIELDS, type SomeContact, someCustomFields } from './random-contacts.js';
import type { Workspace } from './random-segments.js';

/** The records of a workspace except its contacts. */
export type WrittenWorkspace = Omit<Workspace, 'contacts'> & { readonly id: number };

const GROUPS = 5;

/** Most dates of the contacts are near midnight of these days. */
const MIDNIGHTS = ['2026-03-28', '2026-03-29', '2026-03-30'].map((day) => Date.parse(`${day}T00:00:00.000Z`));

const someMoment = fc
  .tuple(fc.constantFrom(...MIDNIGHTS), fc.constantFrom(-1, 0, 0, 1, 999, 43_200_000, -43_200_000))
  .map(([midnight, beside]) => new Date(midnight + beside).toISOString());

/** Values that a request body cannot set. */
const serverValues = (ids: Omit<WrittenWorkspace, 'id' | 'types'>) =>
  fc.record({
    created_at: someMoment,
    updated_at: someMoment,
    subscribed_at: fc.option(someMoment),
    unsubscribed_at: fc.option(someMoment),
    status: fc.constantFrom('active', 'active', 'unsubscribed', 'bounced', 'complained'),
    company_id: fc.option(fc.constantFrom(...ids.company_ids)),
    tag_ids: fc.subarray([...ids.tag_ids]),
    list_ids: fc.subarray([...ids.list_ids]),
    emptied: fc.subarray(['first_name', 'last_name', 'company', 'phone', 'job_title', 'linkedin_url', 'timezone'], {
      maxLength: 2,
    }),
    rewritten: fc.option(someCustomFields),
  });

/**
 * Creates a workspace with contacts by SQL: dates around midnight, empty strings, tags, lists and companies. Some contacts
 * are created and deleted again; the custom fields of others are changed once.
 */
export async function writeWorkspace(
  testDatabase: TestDatabase,
  contacts: readonly SomeContact[],
  seed: number,
): Promise<WrittenWorkspace> {
  const one = async (text: string, values: unknown[]): Promise<number> => {
    const [row] = await testDatabase.query<{ id: string }>(text, values);
    return Number(row?.id);
  };
  const id = await one(`INSERT INTO workspaces (name) VALUES ($1) RETURNING id`, [`Seed ${seed}`]);
  const several = (table: string): Promise<number[]> =>
    Promise.all(
      Array.from({ length: GROUPS }, (_, nth) =>
        one(`INSERT INTO ${table} (workspace_id, name) VALUES ($1, $2) RETURNING id`, [id, `Name ${nth}`]),
      ),
    );
  const ids = {
    company_ids: await several('companies'),
    tag_ids: await several('tags'),
    list_ids: await several('lists'),
  };
  await testDatabase.query(
    `INSERT INTO custom_fields (workspace_id, key, label, type)
     SELECT $1, key, key, value FROM json_each_text($2::json)`,
    [id, JSON.stringify(CUSTOM_FIELDS)],
  );
  const services = fc.sample(fc.array(serverValues(ids), { minLength: contacts.length, maxLength: contacts.length }), {
    seed,
    numRuns: 1,
  })[0];
  const rows = contacts.map((contact, nth) => {
    const { emptied, ...service } = services?.[nth] ?? { emptied: [] };
    return { ...contact, ...service, ...Object.fromEntries(emptied.map((column) => [column, ''])) };
  });
  await writeContacts(testDatabase, id, rows);
  return { id, ...ids, types: new Map(Object.entries(CUSTOM_FIELDS)) };
}

async function writeContacts(testDatabase: TestDatabase, workspaceId: number, rows: readonly object[]): Promise<void> {
  const input = JSON.stringify(rows);
  await testDatabase.query(
    `INSERT INTO contacts (workspace_id, email, external_id, first_name, last_name, company, company_id, phone, job_title,
       linkedin_url, timezone, lifecycle_stage, custom_fields, created_at, updated_at, subscribed_at, unsubscribed_at, status)
     SELECT $1::bigint, lower(email), external_id, first_name, last_name, company, company_id, phone, job_title,
       linkedin_url, timezone, lifecycle_stage, custom_fields, created_at, updated_at, subscribed_at, unsubscribed_at, status
     FROM json_populate_recordset(NULL::contacts, $2::json)`,
    [workspaceId, input],
  );
  for (const table of ['tag', 'list']) {
    await testDatabase.query(
      `INSERT INTO ${table}_members (workspace_id, contact_id, ${table}_id, contact_created_at)
       SELECT contact.workspace_id, contact.id, owner::bigint, contact.created_at
       FROM json_to_recordset($2::json) AS input (email text, ${table}_ids json)
       JOIN contacts contact ON contact.workspace_id = $1 AND contact.email = lower(input.email)
       CROSS JOIN json_array_elements_text(input.${table}_ids) AS owner`,
      [workspaceId, input],
    );
  }
  await testDatabase.query(
    `UPDATE contacts SET custom_fields = input.rewritten
     FROM json_to_recordset($2::json) AS input (email text, rewritten jsonb)
     WHERE contacts.workspace_id = $1 AND contacts.email = lower(input.email) AND input.rewritten IS NOT NULL`,
    [workspaceId, input],
  );
  await createAndDelete(testDatabase, workspaceId);
}

async function createAndDelete(testDatabase: TestDatabase, workspaceId: number): Promise<void> {
  await testDatabase.query(
    `INSERT INTO contacts (workspace_id, email, first_name, custom_fields)
     SELECT $1::bigint, 'gone' || n || '@example.com', 'Ada', '{"score": 1, "note": "x", "renewal": "2026-03-28"}'
     FROM generate_series(1, 20) n`,
    [workspaceId],
  );
  for (const table of ['tag', 'list']) {
    await testDatabase.query(
      `INSERT INTO ${table}_members (workspace_id, contact_id, ${table}_id, contact_created_at)
       SELECT contact.workspace_id, contact.id, owner.id, contact.created_at
       FROM contacts contact JOIN ${table}s owner ON owner.workspace_id = contact.workspace_id
       WHERE contact.workspace_id = $1 AND contact.email LIKE 'gone%'`,
      [workspaceId],
    );
  }
  await testDatabase.query(`DELETE FROM contacts WHERE workspace_id = $1 AND email LIKE 'gone%'`, [workspaceId]);
}
