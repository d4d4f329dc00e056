import { requestLimits } from '@outreach/database';
import { type Database, sql } from '../../src/platform/database/index.js';
import { eventually } from '../support/eventually.js';
import { useDatabase } from '../support/database.js';

const insert = (n: number) => sql`INSERT INTO written VALUES (${n})`;
const session = async (database: Database) =>
  (await database.query<{ pid: number }>(sql`SELECT pg_backend_pid() AS pid`))[0]?.pid;

describe('a delayed commit', () => {
  const fixture = useDatabase(3);
  beforeAll(() => fixture.testDatabase.query('CREATE TABLE written (n int PRIMARY KEY)'));
  beforeEach(() => fixture.testDatabase.query('TRUNCATE written'));

  const delay = (onBegin: (tx: Database) => Promise<void> = () => Promise.resolve()) =>
    fixture.database.delayCommit(onBegin);
  const written = async () =>
    (await fixture.testDatabase.query<{ n: number }>('SELECT n FROM written ORDER BY n')).map(({ n }) => n);

  it('keeps the first transaction open, and later statements and transactions join it', async () => {
    const { database, commit } = delay();
    await database.transaction((tx) => tx.execute(insert(1)));
    await database.execute(insert(2));
    await database.transaction((tx) => tx.execute(insert(3)));
    expect(await database.query(sql`SELECT n FROM written`)).toHaveLength(3);
    expect(await written()).toEqual([]);
    await commit.finish();
    expect(await written()).toEqual([1, 2, 3]);
  });

  it('begins with the first statement that writes, and not with one that reads', async () => {
    const begun: string[] = [];
    const { database, commit } = delay(async () => void begun.push('begun'));
    await database.query(sql`SELECT 1`);
    expect(begun).toEqual([]);
    await database.execute(insert(1));
    expect(begun).toEqual(['begun']);
    await commit.abandon();
    expect(await written()).toEqual([]);
  });

  it('ends with the work that began it if this work fails, so that the caller can try again', async () => {
    const { database, commit } = delay();
    const failing = database.transaction(async (tx) => {
      await tx.execute(insert(1));
      throw new Error('refused');
    });
    await expect(failing).rejects.toThrow('refused');
    await database.execute(insert(2));
    await commit.finish();
    expect(await written()).toEqual([2]);
  });

  it('runs what waits for the commit after it, in its order', async () => {
    const { database, commit } = delay();
    const seen: unknown[] = [];
    await database.transaction(async (tx) => {
      await tx.execute(insert(1));
      tx.afterCommit(() => seen.push('first'));
    });
    await database.runAfterCommit(async () => void seen.push(await written()));
    expect(seen).toEqual([]);
    await commit.finish();
    expect(seen).toEqual(['first', [1]]);
  });

  it('does not run what waits for the commit if the transaction is rolled back', async () => {
    const { database, commit } = delay();
    const seen: string[] = [];
    await database.execute(insert(1));
    database.afterCommit(() => seen.push('committed'));
    await commit.abandon();
    expect([seen, await written()]).toEqual([[], []]);
  });

  it('commits chunks one by one if the work asks for it, and the last one with the rest', async () => {
    const { database, commit } = delay();
    for (const n of [1, 2, 3]) {
      await database.commitChunk();
      await database.transaction((tx) => tx.execute(insert(n)));
    }
    expect(await written()).toEqual([1, 2]);
    await commit.abandon();
    expect(await written()).toEqual([1, 2]);
  });

  it('commits each statement by itself after its end', async () => {
    const { database, commit } = delay();
    await commit.finish();
    await database.execute(insert(1));
    expect(await written()).toEqual([1]);
  });

  it('repeats the work that began it after a deadlock', async () => {
    await fixture.database.execute(insert(1));
    await fixture.database.execute(insert(2));
    const ready: (() => void)[] = [];
    const both = new Promise<void>((resolve) => ready.push(resolve));
    let waiting = 0;
    const update = async (database: Database, order: readonly [number, number]) => {
      await database.transaction(async (tx) => {
        await tx.execute(sql`UPDATE written SET n = n WHERE n = ${order[0]}`);
        if (++waiting === 2) ready[0]?.();
        await both;
        await tx.execute(sql`UPDATE written SET n = n WHERE n = ${order[1]}`);
      });
    };
    const [one, other] = [delay(), delay()];
    const finished = [
      update(one.database, [1, 2]).then(() => one.commit.finish()),
      update(other.database, [2, 1]).then(() => other.commit.finish()),
    ];
    await Promise.all(finished);
    expect(waiting).toBeGreaterThan(2);
  });

  it('applies the limits of later work to the rest of the transaction', async () => {
    const { database, commit } = delay();
    const timeout = (limited: Database) =>
      limited.transaction((tx) =>
        tx.query<{ value: string }>(sql`SELECT current_setting('statement_timeout') AS value`),
      );
    expect(await timeout(database.withTimeLimits(requestLimits(4000)))).toEqual([{ value: '4s' }]);
    expect(await timeout(database.withTimeLimits(requestLimits(9000)))).toEqual([{ value: '9s' }]);
    expect(await timeout(database)).toEqual([{ value: '0' }]);
    await commit.abandon();
  });

  it('gives its connection back, also if the commit fails', async () => {
    const { database, commit } = delay();
    await database.execute(insert(1));
    const pid = await session(database);
    await fixture.testDatabase.query('SELECT pg_terminate_backend($1)', [pid]);
    await eventually(async () => {
      const left = await fixture.testDatabase.query('SELECT 1 FROM pg_stat_activity WHERE pid = $1', [pid]);
      expect(left).toEqual([]);
    });
    await expect(commit.finish()).rejects.toThrow();
    const others = [delay(), delay(), delay()];
    for (const [n, each] of others.entries()) await each.database.execute(insert(n + 2));
    for (const each of others) await each.commit.finish();
    expect(await written()).toEqual([2, 3, 4]);
  });
});
