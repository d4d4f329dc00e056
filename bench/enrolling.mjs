// Seconds to enroll a million contacts of a list through the API, compared with INSERT … SELECT in chunks of the same size
// with the same indexes.
// node bench/enrolling.mjs [contacts] [rounds]
import { compare } from './fixture/compare.mjs';
import { seedContacts } from './fixture/seed-contacts.mjs';
import { startFixture } from './fixture/service.mjs';

const [contacts = 1_000_000, rounds = 3] = process.argv.slice(2).map(Number);
const CHUNK = 5000;
const fixture = await startFixture({ ROLE: 'api' });
await seedContacts(fixture, contacts);
const { data: list } = await fixture.call('POST', '/lists', { name: 'All' });
await fixture.database.query(
  `INSERT INTO list_members (workspace_id, list_id, contact_id, contact_created_at)
   SELECT workspace_id, $1, id, created_at FROM contacts WHERE status = 'active'`,
  [list.id],
);
await fixture.database.query('VACUUM ANALYZE');
const createCampaign = async () => {
  const steps = [{ subject: 'Hello', body: '<p>Hello</p>' }];
  const { data: campaign } = await fixture.call('POST', '/campaigns', { name: 'Bench', steps });
  const { data: created } = await fixture.call('GET', `/campaigns/${campaign.id}/steps`);
  return { id: campaign.id, stepId: created[0].id };
};

const seconds = async (work) => {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1000;
};

/** Both sides begin with an empty table. */
async function emptied() {
  await fixture.database.query('TRUNCATE enrollments CASCADE');
  await fixture.database.query(`DELETE FROM record_counts WHERE counted = 'enrollments'`);
  return createCampaign();
}

async function ours() {
  const { id } = await emptied();
  return seconds(() => fixture.call('POST', `/campaigns/${id}/contacts/enroll-from-lists`, { list_ids: [list.id] }));
}

async function baseline() {
  const { id, stepId } = await emptied();
  return seconds(() => insertInChunks(id, stepId));
}

async function insertInChunks(campaignId, stepId) {
  let last = { created_at: '-infinity', id: 0 };
  while (last) {
    const { rows } = await fixture.database.query(
      `WITH chunk AS MATERIALIZED (
         SELECT contact_created_at AS created_at, contact_id AS id FROM list_members
         WHERE workspace_id = $1 AND list_id = $2 AND (contact_created_at, contact_id) > ($3::timestamptz, $4::bigint)
         ORDER BY contact_created_at, contact_id LIMIT ${CHUNK}
       ), enrolled AS (
         INSERT INTO enrollments (workspace_id, campaign_id, contact_id, current_step_id)
         SELECT $1, $5, id, $6 FROM chunk ORDER BY created_at, id RETURNING id
       ), due AS (
         INSERT INTO due_steps (workspace_id, enrollment_id, campaign_id, due_at) SELECT $1, id, $5, now() FROM enrolled
       )
       SELECT created_at::text, id FROM chunk ORDER BY chunk.created_at DESC, chunk.id DESC LIMIT 1`,
      [fixture.workspaceId, list.id, last.created_at, last.id, campaignId, stepId],
    );
    last = rows[0];
  }
}

await compare(`Enrolling ${contacts} contacts (those of them that are active)`, {
  rounds,
  ours,
  baseline,
  unit: 's',
  better: 'lower',
  bounds: { required: 1.3, target: 1.1 },
  fixture,
});
await fixture.stop();
