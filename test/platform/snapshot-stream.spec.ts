import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../ormconfig.js';
import { Database, sql } from '../../src/platform/database/index.js';
import { MAX_SNAPSHOT_MS, snapshotStream } from '@outreach/database';
import { WorkspaceScope } from '../../src/platform/tenancy/index.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

const LARGE = 'x'.repeat(100_000);

/** The test moves the clock of `setTimeout` alone: what uses the database needs the others. */
const ALL_BUT_TIMEOUTS = [
  ...(['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'clearImmediate'] as const),
  ...(['setInterval', 'clearInterval'] as const),
];

describe('snapshotStream', () => {
  let testDatabase: TestDatabase;
  let source: DataSource;
  let scope: WorkspaceScope;
  let released = 0;
  const release = () => void (released += 1);

  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    source = await new DataSource(dataSourceOptions(testDatabase.url, 2)).initialize();
  });
  beforeEach(async () => {
    const [workspace] = await testDatabase.query<{ id: string }>(
      `INSERT INTO workspaces (name) VALUES ('Test') RETURNING id`,
    );
    scope = await WorkspaceScope.open(Number(workspace?.id), new Database(source));
    released = 0;
  });
  afterAll(async () => {
    await source.destroy();
    await testDatabase.drop();
  });

  const insertTags = (count: number) =>
    testDatabase.query(`INSERT INTO tags (workspace_id, name) SELECT $1, 'T' || n FROM generate_series(1, $2::int) n`, [
      scope.workspace_id,
      count,
    ]);
  /** The transaction has ended, and its place is free, once. */
  const hasEnded = () =>
    eventually(async () => {
      expect(released).toBe(1);
      const open = `SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'outreach' AND state <> 'idle'`;
      expect(await testDatabase.query(open)).toEqual([]);
    });
  const endless = async function* (snapshot: WorkspaceScope): AsyncGenerator<string> {
    for (;;) {
      await snapshot.query(sql`SELECT 1 FROM tags WHERE workspace_id = ${snapshot}`);
      yield LARGE;
    }
  };

  it('reads the rows of a statement in batches, as they were at its first statement, and releases its place', async () => {
    await insertTags(25);
    const sizes: number[] = [];
    const stream = await snapshotStream(
      scope,
      async function* (snapshot) {
        const tags = sql`SELECT name FROM tags WHERE workspace_id = ${snapshot} ORDER BY id`;
        for (let round = 0; round < 2; round += 1) {
          for await (const rows of snapshot.batches<{ name: string }>(tags, 10)) {
            sizes.push(rows.length);
            yield rows.map(({ name }) => name).join();
            await insertTags(0);
            await testDatabase.query('DELETE FROM tags WHERE workspace_id = $1', [scope.workspace_id]);
          }
        }
      },
      release,
    );
    expect(await text(stream)).toContain('T25');
    expect(sizes).toEqual([10, 10, 5, 10, 10, 5]);
    await hasEnded();
  });

  it('refuses to write', async () => {
    const writing = async function* (snapshot: WorkspaceScope): AsyncGenerator<string> {
      await snapshot.execute(sql`DELETE FROM tags WHERE workspace_id = ${snapshot}`);
      yield 'never';
    };
    await expect(snapshotStream(scope, writing, release)).rejects.toThrow('read-only transaction');
    await hasEnded();
  });

  it('throws an error before the first part, and destroys the stream after it', async () => {
    const failing = async function* (snapshot: WorkspaceScope, parts: number): AsyncGenerator<string> {
      await snapshot.query(sql`SELECT 1 FROM tags WHERE workspace_id = ${snapshot}`);
      for (let part = 0; part < parts; part += 1) yield 'part';
      throw new Error('Out of order.');
    };
    await expect(snapshotStream(scope, (snapshot) => failing(snapshot, 0), release)).rejects.toThrow('Out of order.');
    await hasEnded();
    released = 0;
    const stream = await snapshotStream(scope, (snapshot) => failing(snapshot, 2), release);
    await expect(text(stream)).rejects.toThrow('ended before its end');
    await hasEnded();
  });

  it('ends if nobody reads the stream, and when it is destroyed', async () => {
    jest.useFakeTimers({ doNotFake: ALL_BUT_TIMEOUTS });
    const unread = await snapshotStream(scope, endless, release);
    const ended = expect(once(unread, 'end')).rejects.toThrow('too slowly');
    jest.advanceTimersByTime(MAX_SNAPSHOT_MS);
    jest.useRealTimers();
    await ended;
    await hasEnded();
    released = 0;
    (await snapshotStream(scope, endless, release)).destroy();
    await hasEnded();
  });

  it('cancels a statement that is running when the stream is destroyed', async () => {
    const waiting = async function* (snapshot: WorkspaceScope): AsyncGenerator<string> {
      yield 'first';
      await snapshot.query(sql`SELECT pg_sleep(86400) FROM (SELECT ${snapshot}::bigint) one`);
    };
    const stream = await snapshotStream(scope, waiting, release);
    await eventually(async () => {
      const running = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'`;
      expect(await testDatabase.query(running)).toHaveLength(1);
    });
    stream.destroy();
    await hasEnded();
  });
});
