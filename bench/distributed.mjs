// CPU time for a message of a coordinator and two nodes of Citus, compared with the same PostgreSQL without nodes.
// node bench/distributed.mjs [messages] [rounds]; requires the extension Citus for the PostgreSQL of the operating system
import { execFileSync } from 'node:child_process';
import pg from 'pg';
import { citusPostgres, startTemporaryCitus } from '../scripts/temporary-citus.mjs';
import { startTemporaryPostgres } from '../scripts/temporary-postgres.mjs';
import { seedRecipients, sendCampaign, startMailSink } from './fixture/campaign.mjs';
import { report } from './fixture/compare.mjs';
import { startFixture } from './fixture/service.mjs';
import { cpuSeconds } from './fixture/usage.mjs';

const [messages = 4_000, rounds = 3] = process.argv.slice(2).map(Number);
const ACCOUNTS = 10;

const programs = citusPostgres();
if (!programs) {
  console.log('The extension Citus is not installed: several nodes are not measured.');
  process.exit();
}

async function withClient(url, run) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await run(client);
  await client.end();
}

/** A database whose tables lie on two nodes. */
async function startDistributed() {
  const { servers, urls, stop } = await startTemporaryCitus(programs);
  for (const url of urls) await withClient(url, (client) => client.query('CREATE EXTENSION citus'));
  const [coordinator, ...nodes] = urls.map((url) => new URL(url).port);
  await withClient(urls[0], async (client) => {
    await client.query(`SELECT citus_set_coordinator_host('127.0.0.1', ${coordinator})`);
    for (const port of nodes) await client.query(`SELECT citus_add_node('127.0.0.1', ${port})`);
  });
  const env = { ...process.env, DATABASE_URL: urls[0], ENCRYPTION_KEY: 'a key that only benchmarks use' };
  for (const args of [['migrate'], ['database', 'distribute', '--yes']])
    execFileSync(process.execPath, ['bin/outreach.js', ...args], { env, stdio: 'ignore' });
  const [pid, ...nodePids] = servers.map((server) => server.pid);
  return { url: urls[0], pid, nodePids, stop };
}

const sink = await startMailSink();

/** A service on a server, and functions that send a campaign and end it. */
async function start(server) {
  const fixture = await startFixture({}, server);
  const recipients = await seedRecipients(fixture, { accounts: ACCOUNTS, contacts: messages });
  const processes = { service: fixture.pids, server: [server.pid], nodes: server.nodePids ?? [] };
  const seconds = () => Object.values(processes).map((pids) => pids.reduce((total, pid) => total + cpuSeconds(pid), 0));
  /** @returns milliseconds for a message: of the service, of the server that it is connected to, and of its nodes */
  const send = async () => {
    const before = seconds();
    await sendCampaign(fixture, sink, { ...recipients, messages });
    return seconds().map((each, n) => ((each - before[n]) * 1000) / messages);
  };
  return { send, stop: fixture.stop };
}

const distributed = await start(await startDistributed());
const alone = await start(await startTemporaryPostgres(programs));
const results = { ours: [], baseline: [] };
for (let round = 0; round < rounds; round += 1) {
  results.baseline.push(await alone.send());
  results.ours.push(await distributed.send());
}
await distributed.stop();
await alone.stop();
sink.stop();

for (const [title, part, counterpart] of [
  ['the coordinator for a message, compared with one PostgreSQL', 1, 1],
  ['both nodes together for a message, compared with one PostgreSQL', 2, 1],
  ['the service for a message on several nodes, compared with one PostgreSQL', 0, 0],
]) {
  report({
    title: `CPU time of ${title}`,
    results: {
      ours: results.ours.map((parts) => parts[part]),
      baseline: results.baseline.map((parts) => parts[counterpart]),
    },
    unit: 'ms',
    better: 'lower',
  });
}
