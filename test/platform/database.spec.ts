import { cheapest, costs, DatabaseUnavailable, StatementTimedOut } from '@outreach/database';
import { type Database, type Sql, sql } from '../../src/platform/database/index.js';
import { useDatabase } from '../support/database.js';
import { TIME_FACTOR } from '../support/eventually.js';

const fixture = useDatabase(2);

describe('cheapest', () => {
  const expensive = sql`SELECT count(*) FROM generate_series(1, ${1000}::int) one, generate_series(1, 1000) other`;
  const cheap = sql`SELECT ${1_000_000}::bigint`;
  const middling = sql`SELECT count(*) FROM generate_series(1, 1000000)`;
  /** Statements whose plans have sub-plans, before and after the main one. */
  const nested = sql`SELECT (SELECT count(*) FROM pg_class) - (SELECT count(*) FROM pg_class) + (${expensive})`;
  const withTable = sql`WITH found AS MATERIALIZED (${middling}) SELECT count FROM found WHERE count > (SELECT 0)`;
  const never = sql`SELECT count(*) FROM pg_class WHERE FALSE`;

  const name = (statement: Sql | undefined): string | undefined =>
    Object.entries({ expensive, cheap, middling, nested, withTable, never }).find(([, one]) => one === statement)?.[0];
  const chosen = async (sets: readonly (readonly Sql[])[]) => (await cheapest(fixture.database, sets)).map(name);

  it('returns the cheapest statement of each set, in the order of the sets', async () => {
    expect(await chosen([[expensive, cheap]])).toEqual(['cheap']);
    expect(await chosen([[cheap, expensive]])).toEqual(['cheap']);
    expect(
      await chosen([
        [expensive, middling, cheap],
        [nested, middling],
        [withTable, expensive],
        [expensive, never],
      ]),
    ).toEqual(['cheap', 'middling', 'withTable', 'never']);
  });

  it('does not confuse the sub-plans of a statement with the plans of others', async () => {
    expect(
      await chosen([
        [nested, cheap],
        [cheap, nested],
        [withTable, nested, middling],
        [never, nested],
      ]),
    ).toEqual(['cheap', 'cheap', 'middling', 'never']);
  });

  it('uses the statistics of the data', async () => {
    await fixture.testDatabase.query(
      `CREATE TABLE numbers AS SELECT n, n % 2 AS half FROM generate_series(1, 20000) n`,
    );
    await fixture.testDatabase.query('CREATE INDEX ON numbers (n)');
    await fixture.testDatabase.query('ANALYZE numbers');
    const byIndex = sql`SELECT count(*) FROM numbers WHERE n <= ${10}`;
    const byScan = sql`SELECT ${10}::bigint + count(*) FROM numbers WHERE half > ${7}`;
    expect(await cheapest(fixture.database, [[byScan, byIndex]])).toEqual([byIndex]);
    const all = sql`SELECT count(*) FROM numbers WHERE n <= ${20_000}`;
    const none = sql`SELECT ${20_000}::bigint - count(*) FROM numbers WHERE n > ${20_000}`;
    expect(
      await cheapest(fixture.database, [
        [all, none],
        [byScan, byIndex],
      ]),
    ).toEqual([none, byIndex]);
  });

  it('returns the first statement if several cost the same', async () => {
    const other = sql`SELECT ${1_000_000}::bigint`;
    const [one] = await cheapest(fixture.database, [[cheap, other]]);
    expect(one).toBe(cheap);
    expect((await cheapest(fixture.database, [[other, cheap]]))[0]).toBe(other);
  });

  it('returns the statement of a set of one without a query', async () => {
    const wrong = sql`SELECT no_such_column`;
    expect(await cheapest(fixture.database, [[wrong], [wrong]])).toEqual([wrong, wrong]);
    expect(await cheapest(fixture.database, [])).toEqual([]);
    expect((await cheapest(fixture.database, [[wrong], [expensive, cheap]]))[1]).toBe(cheap);
    await expect(cheapest(fixture.database, [[expensive, cheap], []])).rejects.toThrow('empty');
  });

  it('compares costs that Database.costs returns in the order of the statements', async () => {
    const estimated = await costs(fixture.database, [expensive, cheap, nested, middling]);
    expect(estimated).toHaveLength(4);
    const [ofExpensive = 0, ofCheap = 0, ofNested = 0, ofMiddling = 0] = estimated;
    expect(ofCheap).toBeGreaterThanOrEqual(0);
    expect(ofMiddling).toBeGreaterThan(ofCheap);
    expect(ofExpensive).toBeGreaterThan(ofCheap);
    expect(ofNested).toBeGreaterThan(ofExpensive);
    expect(await costs(fixture.database, [])).toEqual([]);
  });

  it('runs none of the statements', async () => {
    await fixture.testDatabase.query('CREATE SEQUENCE tried');
    const trying = sql`SELECT nextval('tried') FROM generate_series(1, 3)`;
    await cheapest(fixture.database, [[trying, sql`SELECT nextval('tried')`]]);
    expect(await fixture.testDatabase.query('SELECT is_called FROM tried')).toEqual([{ is_called: false }]);
  });
});

describe('Database.transactionWithin', () => {
  const settings = (on: Database) =>
    on.query(sql`SELECT current_setting('statement_timeout') AS timeout, current_setting('jit') AS jit`);
  const sleep = (seconds: number) => sql`SELECT pg_sleep(${seconds})`;

  beforeAll(() => fixture.testDatabase.query('CREATE TABLE written (n int)'));
  beforeEach(() => fixture.testDatabase.query('DELETE FROM written'));
  const written = () => fixture.testDatabase.query('SELECT n FROM written ORDER BY n');

  it('cancels a statement that takes longer, and rolls back', async () => {
    const work = fixture.database.transactionWithin(50, async (tx) => {
      await tx.execute(sql`INSERT INTO written VALUES (1)`);
      await tx.query(sleep(10));
    });
    await expect(work).rejects.toThrow(StatementTimedOut);
    expect(await written()).toEqual([]);
  });

  it('returns the result of the work, and commits, if each statement is fast enough', async () => {
    const result = fixture.database.transactionWithin(60_000, async (tx) => {
      await tx.execute(sql`INSERT INTO written VALUES (1)`);
      return 'done';
    });
    expect(await result).toBe('done');
    expect(await written()).toEqual([{ n: 1 }]);
  });

  it('limits its own statements only, not the next ones on the same connection', async () => {
    const before = await settings(fixture.database);
    expect(await fixture.database.transactionWithin(61_234, settings)).toEqual([{ timeout: '61234ms', jit: 'off' }]);
    await expect(fixture.database.transactionWithin(20, (tx) => tx.query(sleep(10)))).rejects.toThrow(
      StatementTimedOut,
    );
    expect(await settings(fixture.database)).toEqual(before);
    expect(await Promise.all([fixture.database.query(sleep(0.1)), fixture.database.query(sleep(0.1))])).toHaveLength(2);
  });

  it('limits the rest of an open transaction, and ends with it', async () => {
    await fixture.database.transaction(async (tx) => {
      await tx.transactionWithin(60_000, (inner) => inner.execute(sql`INSERT INTO written VALUES (1)`));
      expect(await settings(tx)).toEqual([{ timeout: '1min', jit: 'off' }]);
      await tx.transactionWithin(120_000, settings);
      expect(await settings(tx)).toMatchObject([{ timeout: '2min' }]);
    });
    expect(await written()).toEqual([{ n: 1 }]);
    const work = fixture.database.transaction(async (tx) => {
      await tx.execute(sql`INSERT INTO written VALUES (2)`);
      await tx.transactionWithin(30, (inner) => inner.query(sleep(10)));
    });
    await expect(work).rejects.toThrow(StatementTimedOut);
    expect(await written()).toEqual([{ n: 1 }]);
  });

  it('counts the time that a statement waits for a lock', async () => {
    await fixture.testDatabase.query('INSERT INTO written VALUES (7)');
    await fixture.database.transaction(async (holder) => {
      await holder.query(sql`SELECT n FROM written FOR UPDATE`);
      // Long enough that the statement waits for the lock by then.
      const work = fixture.database.transactionWithin(1_000 * Math.min(Math.ceil(TIME_FACTOR), 5), (tx) =>
        tx.execute(sql`UPDATE written SET n = 8`),
      );
      await expect(work).rejects.toThrow(DatabaseUnavailable);
    });
    expect(await written()).toEqual([{ n: 7 }]);
  });

  it('calls the callbacks of afterCommit after the commit, and not after a timeout', async () => {
    const called: string[] = [];
    await fixture.database.transactionWithin(60_000, async (tx) => tx.afterCommit(() => called.push('in time')));
    const late = fixture.database.transactionWithin(20, async (tx) => {
      tx.afterCommit(() => called.push('too late'));
      await tx.query(sleep(10));
    });
    await expect(late).rejects.toThrow(StatementTimedOut);
    expect(called).toEqual(['in time']);
  });
});
