import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { ENCRYPTED_COLUMNS } from '../../src/app/encrypted-columns.js';
import { Keyring } from '../../src/platform/crypto/index.js';
import type { ApiClient } from '../support/api-client.js';
import { BlockingTransaction } from '../support/blocking-transaction.js';
import { CommandRunner, OutreachProcess, type ProcessResult } from '../support/command-line.js';
import { dkimPair } from '../support/dkim.js';
import { eventually } from '../support/eventually.js';
import { startService, type TestService } from '../support/service.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const OLD = 'the first key of these tests';
const NEW = 'the second key of these tests';
const [OLD_ID] = new Keyring([OLD]).ids;
const [NEW_ID] = new Keyring([NEW]).ids;
/** Several batches, each of which is a transaction. */
const MANY = 400;
/** The columns after that of the secrets of webhooks, in the order of a rotation. */
const LATER_COLUMNS = ENCRYPTED_COLUMNS.length - 1 - ENCRYPTED_COLUMNS.findIndex(({ table }) => table === 'webhooks');

/** The sessions that run a statement or a transaction. */
const UNFINISHED = `SELECT FROM pg_stat_activity
  WHERE datname = current_database() AND application_name = 'outreach' AND state <> 'idle'`;

/** Files that encrypt what is not stored. */
const NOT_STORED = ['src/sending/message-links.ts'];

describe('outreach keys rotate', () => {
  const commands = new CommandRunner();
  /** Has a value in every encrypted column. Each test has a copy. */
  let filled: TestDatabase;
  let database: TestDatabase;
  let api: ApiClient;
  beforeAll(async () => {
    filled = await createTestDatabase();
    const service = await startService({ ENCRYPTION_KEY: OLD }, filled);
    api = await service.client();
    await fillColumns(service);
    await service.stop();
  });
  beforeEach(async () => {
    // A connection of the service that is still being closed prevents a copy.
    database = await eventually(() => createTestDatabase(new URL(filled.url).pathname.slice(1)));
  });
  afterEach(() => database.drop());
  afterAll(async () => {
    commands.stop();
    await filled.drop();
  });

  const env = (keys: string) => ({ DATABASE_URL: database.url, ENCRYPTION_KEY: keys });
  /** Runs a command, which prints no key and no secret. */
  const run = async (command: string, keys = `${NEW},${OLD}`): Promise<ProcessResult> => {
    const result = await commands.run(command.split(' '), env(keys));
    expect(result.stdout + result.stderr).not.toMatch(/key of these tests|SG\.key|whsec_/);
    return result;
  };
  const rotate = (keys?: string): Promise<ProcessResult> => run('keys rotate --json', keys);
  const startRotation = () => new OutreachProcess(['keys', 'rotate', '--json'], env(`${NEW},${OLD}`));
  const valuesOf = async (id: string): Promise<number> => {
    const counts = await Promise.all(
      ENCRYPTED_COLUMNS.map(({ table, column }) =>
        database.query<{ total: string }>(`SELECT count(*) AS total FROM ${table} WHERE starts_with(${column}, $1)`, [
          Keyring.prefixOf(id),
        ]),
      ),
    );
    return counts.flat().reduce((sum, { total }) => sum + Number(total), 0);
  };
  const mailbox = (fields: object) =>
    api.post('/email-accounts', { name: 'M', from_email: 'a@b.example', from_name: 'A', ...fields });
  /** One value in every encrypted column. */
  const fillColumns = async (service: TestService) => {
    const smtp = { smtp_host: 'smtp.b.example', smtp_port: 2525, smtp_username: 'u', smtp_password: 'secret' };
    const imap = { imap_host: 'imap.b.example', imap_password: 'secret' };
    const dkim = { dkim_domain: 'b.example', dkim_selector: 's', dkim_private_key: dkimPair().pem };
    const results = [
      await mailbox({ type: 'smtp', ...smtp, ...imap, ...dkim }),
      await mailbox({ type: 'sendgrid', sendgrid_api_key: 'SG.key' }),
      await api.post('/webhooks', { url: 'https://example.com/hook', events: ['email.sent'] }),
    ];
    expect(results.map(({ status }) => status)).toEqual([201, 201, 201]);
    const headers = {
      authorization: `Bearer ${api.token}`,
      'content-type': 'application/json',
      'idempotency-key': 'k',
    };
    await fetch(`${service.url}/v1/tags`, { method: 'POST', headers, body: '{"name":"x"}' });
    await insertOauth(service.app.get(DataSource, { strict: false }), results[0]?.data.id);
    const contact = (await api.post('/contacts', { email: 'ada@example.com' })).body;
    expect((await api.post(`/contacts/${contact.id}/erase`)).status).toBe(204);
  };
  const insertOauth = async (source: DataSource, accountId: number) => {
    const [keyring, { workspaceId }] = [new Keyring([OLD]), api];
    const token = (name: string) => keyring.encrypt('secret', `oauth_grant:${name}:${workspaceId}:${accountId}`);
    const ofState = (name: string) => keyring.encrypt('secret', `oauth_state:${name}:${workspaceId}`);
    await source.query(
      `INSERT INTO oauth_grants (workspace_id, email_account_id, provider, address, refresh_token_encrypted,
         access_token_encrypted, access_token_expires_at) VALUES ($1, $2, 'google', 'a@b.example', $3, $4, now())`,
      [workspaceId, accountId, token('refresh_token'), token('access_token')],
    );
    await source.query(
      `INSERT INTO oauth_states (workspace_id, state_hash, provider, code_verifier_encrypted, nonce_encrypted, name,
         daily_limit, expires_at) VALUES ($1, 'hash', 'google', $2, $3, 'M', 1, now())`,
      [workspaceId, ofState('code_verifier'), ofState('nonce')],
    );
  };
  const insertWebhooks = (encrypted: string, count: number) =>
    database.query(
      `INSERT INTO webhooks (workspace_id, url, events, secret)
       SELECT $1, 'https://example.com/hook', '{email.sent}', $2 FROM generate_series(1, $3::int)`,
      [api.workspaceId, encrypted, count],
    );
  /** Keeps a rotation from its end: it encrypts the first half of many webhooks, and waits for the others. */
  const lockHalf = () =>
    BlockingTransaction.begin(database, 'SELECT 1 FROM webhooks ORDER BY id DESC LIMIT $1 FOR UPDATE', [MANY / 2]);
  /** Stops rotations in the middle of a statement. */
  const lockWebhooks = () => BlockingTransaction.begin(database, 'LOCK TABLE webhooks IN ACCESS EXCLUSIVE MODE', []);
  const oldSecret = () => new Keyring([OLD]).encrypt('whsec_x', `webhook:secret:${api.workspaceId}`);
  const keysOf = ({ stdout }: ProcessResult) => JSON.parse(stdout).keys;

  it('encrypts every value anew, after which the first key alone decrypts them and the older one can be removed', async () => {
    expect(await valuesOf(OLD_ID)).toBe(ENCRYPTED_COLUMNS.length);
    const result = await rotate();
    expect(result).toMatchObject({ code: 0, stderr: expect.stringContaining('webhooks.secret: 1 values') });
    expect(JSON.parse(result.stdout).encrypted).toBe(ENCRYPTED_COLUMNS.length);
    expect(keysOf(result)).toEqual([
      {
        position: 1,
        id: NEW_ID,
        values: ENCRYPTED_COLUMNS.length,
        is_first: true,
        is_removable: false,
        needed_for: [],
      },
      { position: 2, id: OLD_ID, values: 0, is_first: false, is_removable: true, needed_for: [] },
    ]);
    const doctor = await run('doctor --json', NEW);
    expect(JSON.parse(doctor.stdout).checks).toContainEqual(
      expect.objectContaining({
        check: 'keys',
        status: 'ok',
        message: `1 key; decrypted ${ENCRYPTED_COLUMNS.length} stored values`,
      }),
    );
    const restarted = await startService({ ENCRYPTION_KEY: NEW }, database);
    await restarted.stop();
  });

  it('leaves the pauses of mailboxes as they are: no password has changed', async () => {
    await database.query(
      `UPDATE mailbox_readings SET failures = 5, last_error = 'refused', next_read_at = now() + interval '1 hour'`,
    );
    const readings = () => database.query('SELECT *, xmin::text FROM mailbox_readings');
    const before = await readings();
    expect(JSON.parse((await rotate()).stdout).encrypted).toBe(ENCRYPTED_COLUMNS.length);
    expect([before.length, await readings()]).toEqual([1, before]);
  });

  it('names an older key as still needed by links as soon as mail was sent', async () => {
    await database.query('UPDATE email_accounts SET last_used_at = now()');
    expect(keysOf(await rotate())[1]).toMatchObject({ values: 0, is_removable: false, needed_for: ['links'] });
    const { stdout } = await run('keys rotate');
    expect(stdout).toMatch(new RegExp(`^2 +${OLD_ID} +0 +still needed: links in mail`, 'm'));
  });

  it('does nothing with the one key that has encrypted everything', async () => {
    const { code, stdout } = await rotate(OLD);
    expect([code, JSON.parse(stdout).encrypted]).toEqual([0, 0]);
    expect(await valuesOf(OLD_ID)).toBe(ENCRYPTED_COLUMNS.length);
  });

  it('leaves values whose key is missing as they are, names that key and exits with 1', async () => {
    const { code, stdout, stderr } = await rotate(NEW);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      encrypted: 0,
      columns: expect.arrayContaining([{ column: 'webhooks.secret', encrypted: 0, unreadable: 1, remaining: 0 }]),
    });
    expect(stderr).toContain(`ENCRYPTION_KEY lacks the key ${OLD_ID}`);
    expect(await valuesOf(OLD_ID)).toBe(ENCRYPTED_COLUMNS.length);
    expect(await rotate()).toMatchObject({ code: 0 });
  });

  it('continues after a kill -9, and two at the same time share the work', async () => {
    await insertWebhooks(oldSecret(), MANY);
    const lock = await lockHalf();
    const killed = startRotation();
    await eventually(async () => expect(await valuesOf(NEW_ID)).toBeGreaterThan(ENCRYPTED_COLUMNS.length));
    killed.kill('SIGKILL');
    await killed.ended;
    // Its session may still have a commit to execute.
    await eventually(async () => expect(await database.query(UNFINISHED)).toEqual([]));
    const done = await valuesOf(NEW_ID);
    await lock.end();
    expect(done).toBeLessThan(MANY);
    const table = await lockWebhooks();
    const first = startRotation();
    await table.blocks(1);
    const second = rotate();
    await table.blocks(2);
    await table.end();
    const both = await Promise.all([first.ended, second]);
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    const encrypted = both.map(({ stdout }) => JSON.parse(stdout).encrypted);
    expect(encrypted[0] + encrypted[1]).toBe(MANY + ENCRYPTED_COLUMNS.length - done);
    expect(await valuesOf(OLD_ID)).toBe(0);
  });

  it('ends with one line if the database is lost meanwhile', async () => {
    const lock = await lockWebhooks();
    let hasEnded = false;
    const rotation = rotate().finally(() => (hasEnded = true));
    await lock.blocks(1);
    // Repeated, because a connection that ends between two statements is replaced.
    await eventually(async () => {
      await database.disconnectAll();
      expect(hasEnded).toBe(true);
    });
    await lock.end();
    const { code, stderr } = await rotation;
    expect({ code, last: stderr.trimEnd().split('\n').at(-1) }).toEqual({
      code: 1,
      last: expect.stringMatching(/^The database is not available: .* Run the command again when it is\.$/),
    });
    expect(await rotate()).toMatchObject({ code: 0 });
  });

  it('does not wait for a row that another transaction has locked, and encrypts it when it is free', async () => {
    await insertWebhooks(oldSecret(), 3);
    const blocking = await BlockingTransaction.begin(
      database,
      'SELECT 1 FROM webhooks WHERE id = (SELECT min(id) FROM webhooks) FOR UPDATE',
      [],
    );
    const rotation = rotate();
    // The locked one, and one in each column that comes later.
    await eventually(async () => expect(await valuesOf(OLD_ID)).toBe(1 + LATER_COLUMNS));
    await blocking.end();
    expect(await rotation).toMatchObject({ code: 0 });
    expect(await valuesOf(OLD_ID)).toBe(0);
  });
});

describe('the encrypted columns that the rotation knows', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  it('are all whose names say so in the database', async () => {
    const rows = await database.query<{ name: string }>(
      `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
       WHERE table_schema = 'public' AND column_name LIKE '%encrypted' ORDER BY 1`,
    );
    const declared = ENCRYPTED_COLUMNS.map(({ table, column }) => `${table}.${column}`);
    expect(rows.map(({ name }) => name).filter((name) => !declared.includes(name))).toEqual([]);
  });

  it('have the primary keys of the database', async () => {
    const rows = await database.query<{ table: string; columns: string[] }>(
      `SELECT conrelid::regclass::text AS table, array_agg(attname::text ORDER BY ordinality) AS columns
       FROM pg_constraint CROSS JOIN unnest(conkey) WITH ORDINALITY AS key (attnum, ordinality)
       JOIN pg_attribute ON attrelid = conrelid AND pg_attribute.attnum = key.attnum
       WHERE contype = 'p' GROUP BY 1`,
    );
    for (const { table, primary_key } of ENCRYPTED_COLUMNS) {
      expect({ table, columns: rows.find((row) => row.table === table)?.columns }).toEqual({
        table,
        columns: primary_key,
      });
    }
  });

  it('are declared in every file that encrypts what is stored', async () => {
    const root = join(import.meta.dirname, '../..');
    const files = (await readdir(join(root, 'src'), { recursive: true }))
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
      .map((file) => `src/${file}`)
      .filter((file) => !file.startsWith('src/platform/crypto/') && !file.startsWith('src/app/key-rotation/'));
    const undeclared: string[] = [];
    for (const file of files) {
      const code = await readFile(join(root, file), 'utf8');
      if (/keyring\b[\s\S]{0,40}?\.encrypt\(/i.test(code) && !/EncryptedColumn/.test(code)) undeclared.push(file);
    }
    expect(undeclared).toEqual(NOT_STORED);
  });
});
