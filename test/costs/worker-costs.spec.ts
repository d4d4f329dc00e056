import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ApiClient } from '../support/api-client.js';
import { type CrashingDatabase, startCrashingDatabase } from '../support/crashing-database.js';
import { eventually } from '../support/eventually.js';
import { Given } from '../support/given.js';
import { MailSink } from '../support/mail-sink.js';
import { startService, type TestService } from '../support/service.js';
import { WorkerProcesses } from '../support/service-process.js';

const MESSAGES = 1_500;
/** How much more a message may cost with four workers than with one. */
const MAX_RATIO = 1.2;

/** PostgreSQL writes each statement, and each wait for a lock of more than a millisecond, to a log. */
const LOGGING = {
  ...{ logging_collector: 'on', log_destination: 'jsonlog', log_rotation_size: '0', log_parameter_max_length: '0' },
  ...{ log_statement: 'all', log_lock_waits: 'on', deadlock_timeout: '1ms' },
};

interface LogLine {
  readonly session_id: string;
  readonly message: string;
}

/** How often something happened for one message. */
interface Costs {
  readonly statements: number;
  readonly commits: number;
  readonly waits: number;
  /** Of its row in the queue: a claim, a preflight check, and whatever becomes of what is claimed and not sent. */
  readonly updates: number;
}

const STATEMENT = /^(?:statement|execute [^:]*): *(?<text>.*)/s;

/** Counts what sessions have done. A statement outside a transaction is one. */
function costsOf(lines: readonly LogLine[]): Omit<Costs, 'updates'> {
  const open = new Set<string>();
  let [statements, commits, waits] = [0, 0, 0];
  for (const { session_id: session, message } of lines) {
    if (message.includes(' still waiting for ')) waits += 1;
    const text = STATEMENT.exec(message)?.groups?.text;
    if (text === undefined) continue;
    statements += 1;
    if (/^(BEGIN|START TRANSACTION)/i.test(text)) open.add(session);
    else if (/^(COMMIT|ROLLBACK)/i.test(text)) open.delete(session);
    if (!open.has(session)) commits += 1;
  }
  return { statements, commits, waits };
}

describe('a message', () => {
  let dataDir: string;
  let database: CrashingDatabase;
  let service: TestService;
  let workers: WorkerProcesses;
  let sink: MailSink;
  let api: ApiClient;
  let given: Given;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'outreach-costs-'));
    const settings = { autovacuum: 'off', full_page_writes: 'off', ...LOGGING };
    database = await startCrashingDatabase({ dataDir, settings });
    service = await startService({}, database);
    workers = new WorkerProcesses(service);
  });
  beforeEach(async () => {
    sink = await MailSink.start();
    api = await service.client();
    given = new Given(api, database);
  });
  afterEach(() => sink.stop());
  afterAll(async () => {
    await workers.stop();
    await service.stop();
    await database.drop();
  });

  async function log(): Promise<LogLine[]> {
    const folder = join(dataDir, 'postgres', 'log');
    const files = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort();
    const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')));
    return texts.flatMap((text) => text.split('\n').slice(0, -1)).map((line) => JSON.parse(line) as LogLine);
  }

  async function updates(): Promise<number> {
    const [row] = await database.query<{ n_tup_upd: string }>(
      `SELECT n_tup_upd FROM pg_stat_user_tables WHERE relname = 'queued_messages'`,
    );
    return Number(row?.n_tup_upd);
  }

  /**
   * Sends a campaign from one account: with several, each worker has fewer connections, whose messages share transactions.
   * @returns what a message costs
   */
  async function costsWith(count: number): Promise<Costs> {
    sink.mails.splice(0);
    const { id: accountId } = await given.mailbox(sink);
    const campaign = await given.campaign({ email_account_ids: [accountId] });
    const contacts = await given.contacts(MESSAGES, `with${count}-`);
    for (let start = 0; start < MESSAGES; start += 500)
      await api.post(`/campaigns/${campaign.id}/contacts`, { contact_ids: contacts.slice(start, start + 500) });
    await workers.run(count);
    await database.query('VACUUM ANALYZE');
    const before = { lines: (await log()).length, updates: await updates() };
    await api.post(`/campaigns/${campaign.id}/start`);
    await eventually(() => expect(sink.mails).toHaveLength(MESSAGES));
    await workers.stop();
    const costs = costsOf((await log()).slice(before.lines));
    return {
      statements: costs.statements / MESSAGES,
      commits: costs.commits / MESSAGES,
      waits: costs.waits / MESSAGES,
      updates: ((await updates()) - before.updates) / MESSAGES,
    };
  }

  it('costs at most a fifth more with four workers than with one', async () => {
    const one = await costsWith(1);
    const four = await costsWith(4);
    expect(one.statements).toBeGreaterThan(0);
    expect(four.statements).toBeLessThanOrEqual(MAX_RATIO * one.statements);
    expect(four.commits).toBeLessThanOrEqual(MAX_RATIO * one.commits);
    expect(four.updates).toBeLessThanOrEqual(MAX_RATIO * one.updates);
    // One worker hardly ever waits for a lock.
    expect(four.waits).toBeLessThanOrEqual(Math.max(MAX_RATIO * one.waits, 0.02));
  });
});
