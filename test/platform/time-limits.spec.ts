import { DataSource } from 'typeorm';
import { DatabaseUnavailable, requestLimits, StatementTimedOut } from '@outreach/database';
import { dataSourceOptions } from '../../ormconfig.js';
import { Database, sql } from '../../src/platform/database/index.js';
import { BlockingTransaction } from '../support/blocking-transaction.js';
import { BreakableProxy } from '../support/breakable-proxy.js';
import { useDatabase } from '../support/database.js';
import { TIME_FACTOR } from '../support/eventually.js';

/** In which a statement of a test ends that takes no time, on this machine. */
const AMPLE_MS = 1_000 * Math.min(Math.ceil(TIME_FACTOR), 5);

const sleep = (seconds: number) => sql`SELECT pg_sleep(${seconds})`;
const session = async (database: Database) =>
  (await database.query<{ pid: number }>(sql`SELECT pg_backend_pid() AS pid`))[0]?.pid;

/** No connection is closed because the machine is slow. */
const MAX_CANCEL_MS = 600_000;

describe('time limits of statements', () => {
  const fixture = useDatabase(1);
  let lock: BlockingTransaction | undefined;

  beforeAll(() => fixture.testDatabase.query('CREATE TABLE written (n int)'));
  beforeEach(() => fixture.testDatabase.query('TRUNCATE written; INSERT INTO written VALUES (1)'));
  afterEach(() => lock?.end());

  /** @param milliseconds for a statement that ends by itself, much longer than it takes: PostgreSQL may have to wait */
  const limited = (milliseconds = 100) =>
    fixture.database.withTimeLimits({ ...requestLimits(milliseconds), cancelMs: MAX_CANCEL_MS });
  const written = () => fixture.testDatabase.query('SELECT n FROM written ORDER BY n');
  const lockRow = async () => {
    lock = await BlockingTransaction.begin(fixture.testDatabase, 'SELECT FROM written FOR UPDATE', []);
  };

  it('cancels a statement, and its connection is used again', async () => {
    const before = await session(limited(60_000));
    await expect(limited().query(sleep(6_000))).rejects.toThrow(StatementTimedOut);
    expect(await session(limited(60_000))).toBe(before);
    expect(await limited(60_000).query(sql`SELECT 1 AS one`)).toEqual([{ one: 1 }]);
  });

  it('cancels a write that waits for a lock, writes nothing, and reports that the database is the reason', async () => {
    await lockRow();
    await expect(limited().execute(sql`UPDATE written SET n = 2`)).rejects.toThrow(DatabaseUnavailable);
    await lock?.end();
    expect(await written()).toEqual([{ n: 1 }]);
    expect(await limited(60_000).execute(sql`UPDATE written SET n = 3`)).toBe(1);
  });

  it('ends a transaction whose statement takes too long, and rolls it back', async () => {
    const before = await session(limited(60_000));
    const work = limited().transaction(async (tx) => {
      await tx.execute(sql`INSERT INTO written VALUES (2)`);
      await tx.query(sleep(60));
    });
    await expect(work).rejects.toThrow(StatementTimedOut);
    expect(await written()).toEqual([{ n: 1 }]);
    expect(await session(limited(60_000))).toBe(before);
  });

  it('ends a transaction that waits for a lock after half of the time, and rolls it back', async () => {
    await lockRow();
    const work = limited(2 * AMPLE_MS).transaction(async (tx) => {
      await tx.execute(sql`INSERT INTO written VALUES (2)`);
      await tx.execute(sql`UPDATE written SET n = 3`);
    });
    await expect(work).rejects.toThrow('lock timeout');
    await expect(work).rejects.toThrow(DatabaseUnavailable);
    expect(await written()).toEqual([{ n: 1 }]);
  });

  it('reports that the database is the reason if a transaction waits for a lock when the time is over', async () => {
    await lockRow();
    const work = fixture.database.withTimeLimits({ statementMs: AMPLE_MS, lockMs: 60_000 }).transaction(async (tx) => {
      await tx.execute(sql`UPDATE written SET n = 3`);
    });
    await expect(work).rejects.toThrow('statement timeout');
    await expect(work).rejects.toThrow(DatabaseUnavailable);
    expect(await written()).toEqual([{ n: 1 }]);
  });

  it('limits each statement, not the whole transaction', async () => {
    await limited(AMPLE_MS).transaction(async (tx) => {
      for (let count = 0; count < 5; count++) await tx.query(sleep(AMPLE_MS / 4_000));
      await tx.execute(sql`INSERT INTO written VALUES (2)`);
    });
    expect(await written()).toHaveLength(2);
  });

  it('leaves no limit on the connection, and none where the caller asks for none', async () => {
    const settings = (database: Database) =>
      database.query(sql`SELECT current_setting('statement_timeout') AS one, current_setting('lock_timeout') AS other`);
    const inTransaction = (database: Database) => database.transaction(settings);
    expect(await inTransaction(limited(3000))).toEqual([{ one: '3s', other: '1500ms' }]);
    expect(await inTransaction(limited(3000).withoutStatementLimit())).toEqual([{ one: '0', other: '1500ms' }]);
    expect(await inTransaction(limited(3000).withoutTimeLimits())).toEqual([{ one: '0', other: '0' }]);
    expect(await settings(limited(3000))).toEqual([{ one: '0', other: '0' }]);
    const unlimited = fixture.database.withTimeLimits({ statementMs: 50 }).withoutStatementLimit();
    expect(await unlimited.query(sleep(0.2))).toHaveLength(1);
  });

  it('ends a transaction whose process sends nothing more, so that its locks are free', async () => {
    const work = fixture.database.withTimeLimits({ idleMs: AMPLE_MS }).transaction(async (tx) => {
      await tx.execute(sql`UPDATE written SET n = 2`);
      await fixture.testDatabase.query('UPDATE written SET n = 3');
      await tx.execute(sql`INSERT INTO written VALUES (4)`);
    });
    await expect(work).rejects.toThrow(DatabaseUnavailable);
    expect(await written()).toEqual([{ n: 3 }]);
  });

  it('does not wait for a connection longer than its limit', async () => {
    await fixture.database.transaction(async () => {
      await expect(session(limited())).rejects.toThrow(DatabaseUnavailable);
    });
    expect(await session(limited(60_000))).toEqual(expect.any(Number));
  });

  it('reports a lost connection, and opens another', async () => {
    const before = await session(limited(60_000));
    const running = [limited(60_000).query(sleep(60))];
    const failed = expect(Promise.all(running)).rejects.toThrow(DatabaseUnavailable);
    await fixture.testDatabase.disconnectAll();
    await failed;
    const work = limited(60_000).transaction(async (tx) => {
      await tx.execute(sql`INSERT INTO written VALUES (2)`);
      await fixture.testDatabase.disconnectAll();
    });
    await expect(work).rejects.toThrow(DatabaseUnavailable);
    expect(await written()).toEqual([{ n: 1 }]);
    expect(await session(limited(60_000))).not.toBe(before);
  });
});

/** About as long as the limit, so that the end of a statement and the request to cancel it meet; and one much longer. */
const DURATIONS_SECONDS = [0.0185, 0.02, 0.022, 0.5];
/** More callers than connections. */
const [CALLERS, ROUNDS] = [6, 40];

describe('cancelled statements on several connections', () => {
  const fixture = useDatabase(4);

  it('are never those that follow on the same connection', async () => {
    const limited = fixture.database.withTimeLimits({ statementMs: 20, cancelMs: MAX_CANCEL_MS });
    const ends = { done: 0, cancelled: 0 };
    const pair = async (seconds: number): Promise<void> => {
      await limited.query(sleep(seconds)).then(
        () => ends.done++,
        (error: unknown) => {
          expect(error).toBeInstanceOf(StatementTimedOut);
          ends.cancelled++;
        },
      );
      expect(await fixture.database.query(sleep(0.002))).toHaveLength(1);
    };
    const repeat = async (): Promise<void> => {
      for (let count = 0; count < ROUNDS; count++) await pair(DURATIONS_SECONDS[count % DURATIONS_SECONDS.length] ?? 0);
    };
    await Promise.all(Array.from({ length: CALLERS }, repeat));
    expect(ends.done + ends.cancelled).toBe(CALLERS * ROUNDS);
    expect(ends.cancelled).toBeGreaterThan(0);
  });
});

describe('a database that cannot be reached', () => {
  const fixture = useDatabase(1);
  let proxy: BreakableProxy;
  let source: DataSource;
  let database: Database;

  beforeAll(async () => {
    proxy = await BreakableProxy.to(fixture.testDatabase.url);
    source = await new DataSource(dataSourceOptions(proxy.urlThrough(fixture.testDatabase.url), 2)).initialize();
    database = new Database(source).withTimeLimits(requestLimits(AMPLE_MS));
  });
  afterEach(() => proxy.restore());
  afterAll(async () => {
    await source.destroy();
    await proxy.stop();
  });

  it('fails the statements that run and those that follow, until it can be reached', async () => {
    const unlimited = database.withoutTimeLimits();
    const [pid] = [await session(unlimited)];
    const running = expect(unlimited.query(sleep(60))).rejects.toThrow(DatabaseUnavailable);
    proxy.break();
    await running;
    await expect(session(database)).rejects.toThrow(DatabaseUnavailable);
    await expect(database.transaction(session)).rejects.toThrow(DatabaseUnavailable);
    proxy.restore();
    expect(await session(unlimited)).not.toBe(pid);
  });

  it('does not keep a statement or a transaction waiting if it does not react at all', async () => {
    const [other, unlimited] = [database.forTenant(1), database.withoutTimeLimits()];
    await Promise.all([database, other].map((each) => each.withoutTimeLimits().query(sleep(0.05))));
    const before = await session(unlimited);
    const transaction = database.transaction(async (tx) => {
      proxy.hang();
      const statement = expect(session(other)).rejects.toThrow(DatabaseUnavailable);
      await session(tx).finally(() => statement);
    });
    await expect(transaction).rejects.toThrow(DatabaseUnavailable);
    proxy.restore();
    expect(await session(unlimited)).not.toBe(before);
  });
});
