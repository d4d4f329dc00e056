// What a request and an idle process cost as the data grows: nothing may grow with the number of contacts or of
// enrollments that wait, unless it returns or counts them.
// node bench/sizes.mjs [rounds] [contacts ...]
import { setTimeout as pause } from 'node:timers/promises';
import { median, report } from './fixture/compare.mjs';
import { seedContacts } from './fixture/seed-contacts.mjs';
import { startFixture } from './fixture/service.mjs';
import { measureUsage } from './fixture/usage.mjs';

const [rounds = 30, ...given] = process.argv.slice(2).map(Number);
const sizes = given.length > 0 ? given : [10_000, 100_000, 1_000_000];
const IDLE_SECONDS = 20;

for (const contacts of sizes) {
  const fixture = await startFixture();
  await seedContacts(fixture, contacts);
  const { data: segment } = await fixture.call('POST', '/segments', {
    name: 'Leads',
    match_type: 'all',
    conditions: [{ field: 'lifecycle_stage', operator: 'equals', value: 'lead' }],
  });
  const { rows } = await fixture.database.query('SELECT id, email FROM contacts ORDER BY id DESC LIMIT 1');
  const [{ id, email }] = rows;
  let created = 0;
  const requests = {
    'GET one contact': () => fixture.call('GET', `/contacts/${id}`),
    'first page of 15 with total': () => fixture.call('GET', '/contacts?per_page=15'),
    'last page of 15 with total': () => fixture.call('GET', `/contacts?page=${Math.ceil(contacts / 15)}`),
    'search for an address': () => fixture.call('GET', `/contacts?search=${encodeURIComponent(email)}`),
    'page of a segment': () => fixture.call('GET', `/segments/${segment.id}/contacts?per_page=15`),
    'POST a contact': () => fixture.call('POST', '/contacts', { email: `new${++created}@example.com` }),
  };
  for (const [name, request] of Object.entries(requests)) {
    const times = [];
    for (let round = 0; round < rounds; round++) times.push(await milliseconds(request));
    report({ title: `${name}, ${contacts} contacts`, unit: 'ms', results: { ours: summary(times) } });
  }
  await enrollAll(fixture);
  await measureIdle(fixture, contacts);
  await fixture.stop();
}

async function milliseconds(request) {
  const startedAt = performance.now();
  await request();
  return performance.now() - startedAt;
}

/** The fastest, the median and the slowest are enough for a reader. */
function summary(times) {
  return [Math.min(...times), median(times), Math.max(...times)];
}

/** An active campaign whose only step is due in ten days, for all contacts. */
async function enrollAll(fixture) {
  const { data: list } = await fixture.call('POST', '/lists', { name: 'All' });
  await fixture.database.query(
    `INSERT INTO list_members (workspace_id, list_id, contact_id, contact_created_at)
     SELECT workspace_id, $1, id, created_at FROM contacts`,
    [list.id],
  );
  const { data: account } = await fixture.call('POST', '/email-accounts', {
    name: 'Account',
    type: 'smtp',
    from_email: 'sender@sender.example',
    from_name: 'Sender',
    smtp_host: '127.0.0.53',
    smtp_port: 2525,
    smtp_username: 'u',
    smtp_password: 'p',
  });
  const { data: campaign } = await fixture.call('POST', '/campaigns', {
    name: 'Waiting',
    email_account_ids: [account.id],
    steps: [{ subject: 'Hello', body: '<p>Hello</p>', delay_minutes: 14_400 }],
  });
  await fixture.call('POST', `/campaigns/${campaign.id}/contacts/enroll-from-lists`, { list_ids: [list.id] });
  await fixture.call('POST', `/campaigns/${campaign.id}/start`);
  await fixture.database.query('VACUUM ANALYZE');
}

/** What a process does while nothing is due. */
async function measureIdle(fixture, contacts) {
  await pause(5_000);
  const statements = async () => {
    const { rows } = await fixture.database.query(
      'SELECT xact_commit + xact_rollback AS total FROM pg_stat_database WHERE datname = current_database()',
    );
    return Number(rows[0].total);
  };
  const measured = measureUsage(fixture);
  const before = await statements();
  await pause(IDLE_SECONDS * 1000);
  const perSecond = ((await statements()) - before) / IDLE_SECONDS;
  const usage = measured();
  const title = (what) => `${what} of an idle process, ${contacts} enrollments wait`;
  report({ title: title('Transactions'), unit: 'a second', results: { ours: [perSecond] } });
  if (!usage) return;
  const percent = (seconds) => (seconds / IDLE_SECONDS) * 100;
  report({ title: title('CPU'), unit: '% of a core', results: { ours: [percent(usage.service)] } });
  report({ title: title('CPU of PostgreSQL'), unit: '% of a core', results: { ours: [percent(usage.postgres)] } });
  report({ title: title('Memory'), unit: 'MB', results: { ours: [usage.memory] }, bounds: { required: 150 } });
}
