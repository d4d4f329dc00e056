import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ApiClient } from '../support/api-client.js';
import { type CrashingDatabase, startCrashingDatabase } from '../support/crashing-database.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { WorkerProcesses } from '../support/service-process.js';
import { startService, type TestService } from '../support/service.js';

/** The same work for each worker, because a process shares its transactions between all that it sends (ADR 36). */
const ACCOUNTS_PER_WORKER = 6;
/** Those of four runs. */
const MESSAGES_PER_ACCOUNT = 60;
/** When the server replies to all that wait. A run of five seconds so begins three rounds of messages, also on a slow machine. */
const REPLY_MS = 2_000;
const MAX_RATIO = 1.2;
/** A longer wait for a lock is counted. */
const LOCK_WAIT_MS = 50;
/** For each message: on a busy machine, a process may be delayed while it has a lock. */
const DELAYED_WAITS = 0.01;
/**
 * A statement of a shared transaction (ADR 36). How many messages are in one depends on when their replies coincide in the process,
 * so on the speed of the machine, and not on the other workers.
 */
const SHARED = /WITH (ended|candidate) AS/;
const NAME = 'counted worker';

/** A line of PostgreSQL's log, of which `vxid` is the transaction. */
interface LogLine {
  readonly application_name?: string;
  readonly vxid?: string;
  readonly message: string;
}

/** What the workers have cost for each message, apart from shared transactions. */
interface Costs {
  readonly statements: number;
  readonly commits: number;
  readonly waits: number;
}

describe('several workers', () => {
  let dataDir: string;
  let database: CrashingDatabase;
  let service: TestService;
  let sink: MailSink;
  let api: ApiClient;
  let given: Given;
  let workers: WorkerProcesses;
  const waiting: (() => void)[] = [];
  let ticks: NodeJS.Timeout;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'outreach-worker-costs-'));
    const log = { log_statement: 'all', logging_collector: 'on', log_destination: 'jsonlog', log_rotation_size: '0' };
    const waits = { log_lock_waits: 'on', deadlock_timeout: `${LOCK_WAIT_MS}ms` };
    database = await startCrashingDatabase({ dataDir, settings: { autovacuum: 'off', ...log, ...waits } });
    service = await startService({}, database);
    sink = await MailSink.start();
    sink.misbehave({ at: 'reply', wait: () => new Promise<void>((resolve) => waiting.push(resolve)) });
    ticks = setInterval(() => {
      for (const reply of waiting.splice(0)) reply();
    }, REPLY_MS);
    api = await service.client();
    given = new Given(api, database);
    const url = new URL(database.url);
    url.searchParams.set('application_name', NAME);
    workers = new WorkerProcesses(service, { DATABASE_URL: url.href });
  });
  afterAll(async () => {
    await workers.stop();
    clearInterval(ticks);
    await service.stop();
    await sink.stop();
    await database.drop();
  });

  /** What the workers have done since the server was started. */
  async function logged(): Promise<readonly LogLine[]> {
    const folder = join(dataDir, 'postgres', 'log');
    const files = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort();
    const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')));
    // The last line may be incomplete.
    const lines = texts.flatMap((text) => text.split('\n').slice(0, -1));
    return lines
      .map((line) => JSON.parse(line) as LogLine)
      .filter(({ application_name: application }) => application === NAME);
  }

  /** A campaign whose accounts are new. @returns its ID, and how many messages it has */
  async function preparedCampaign(accountCount: number): Promise<{ id: number; messages: number }> {
    const accounts: number[] = [];
    for (let n = 0; n < accountCount; n++)
      accounts.push((await given.mailbox(sink, { from_email: `${accountCount}-${n}@sender.example` })).id);
    const campaign = await given.campaign({ email_account_ids: accounts });
    const messages = accountCount * MESSAGES_PER_ACCOUNT;
    const contacts = await given.contacts(messages, `of${accountCount}-`);
    for (let start = 0; start < messages; start += 500)
      await api.post(`/campaigns/${campaign.id}/contacts`, { contact_ids: contacts.slice(start, start + 500) });
    await database.query('VACUUM ANALYZE');
    return { id: campaign.id, messages };
  }

  async function costsWith(count: number): Promise<Costs> {
    await workers.run(count);
    const { id, messages } = await preparedCampaign(count * ACCOUNTS_PER_WORKER);
    const before = await logged();
    await api.post(`/campaigns/${id}/start`);
    await eventually(async () => expect((await api.get(`/campaigns/${id}`)).data.status).toBe('completed'));
    const lines = (await logged()).slice(before.length);
    const shared = new Set(lines.filter(({ message }) => SHARED.test(message)).map(({ vxid }) => vxid));
    const statements = lines.filter(({ message, vxid }) => /^(statement|execute)\b/.test(message) && !shared.has(vxid));
    const transactions = new Set(statements.map(({ vxid }) => vxid));
    const waits = lines.filter(({ message }) => message.includes('still waiting for'));
    return {
      statements: statements.length / messages,
      commits: transactions.size / messages,
      waits: waits.length / messages,
    };
  }

  it('need at most 1.2 times the statements, commits and waits for locks of one for each message', async () => {
    const one = await costsWith(1);
    const four = await costsWith(4);
    expect(sink.mails).toHaveLength(5 * ACCOUNTS_PER_WORKER * MESSAGES_PER_ACCOUNT);
    expect(four.statements / one.statements).toBeLessThanOrEqual(MAX_RATIO);
    expect(four.commits / one.commits).toBeLessThanOrEqual(MAX_RATIO);
    expect(four.waits).toBeLessThanOrEqual(MAX_RATIO * one.waits + DELAYED_WAITS);
  });
});
