import { sql } from '../../src/platform/database/index.js';
import { GroupCommit, type GroupedWork, WorkspaceScope } from '../../src/platform/tenancy/index.js';
import { BlockingTransaction } from '../support/blocking-transaction.js';
import { useDatabase } from '../support/database.js';

/** The numbers that were written together, with the transaction that wrote them. */
interface Written {
  readonly workspace_id: number;
  readonly n: number;
  readonly transaction: string;
}

describe('a group commit', () => {
  const fixture = useDatabase(6);

  let one: WorkspaceScope;
  let other: WorkspaceScope;

  beforeAll(async () => {
    one = await WorkspaceScope.open(1, fixture.database);
    other = await WorkspaceScope.open(2, fixture.database);
    await fixture.testDatabase.query(
      `CREATE TABLE written (workspace_id bigint, n int CHECK (n >= 0), step text, transaction xid8 DEFAULT pg_current_xact_id(),
         position int GENERATED ALWAYS AS IDENTITY, PRIMARY KEY (workspace_id, n, step))`,
    );
  });
  beforeEach(() => fixture.testDatabase.query('TRUNCATE written'));

  const writing = (step: string, order: number): GroupedWork<number, string> => ({
    order,
    run: async (tx, items) => {
      await tx.execute(
        sql`INSERT INTO written (workspace_id, n, step) SELECT ${tx}, unnest(${[...items]}::int[]), ${step}`,
      );
      return items.map((n) => `${step} ${n}`);
    },
  });
  const first = writing('first', 1);
  const second = writing('second', 2);
  const written = () =>
    fixture.testDatabase.query<Written & { step: string }>(
      'SELECT workspace_id, n, step, transaction::text FROM written ORDER BY position',
    );
  const transactions = async () => new Set((await written()).map(({ transaction }) => transaction)).size;

  it('commits what is submitted at the same time once, for all workspaces, in the order of the kinds of work', async () => {
    const group = new GroupCommit(() => 1);
    const results = await Promise.all([
      group.submit(one, second, 1),
      group.submit(other, first, 2),
      group.submit(one, first, 3),
    ]);
    expect(results).toEqual(['second 1', 'first 2', 'first 3']);
    expect((await written()).map((row) => [row.workspace_id, row.step, row.n])).toEqual([
      [1, 'first', 3],
      [2, 'first', 2],
      [1, 'second', 1],
    ]);
    expect(await transactions()).toBe(1);
  });

  it('commits what is submitted while a transaction runs with the next one', async () => {
    const group = new GroupCommit(() => 1);
    const started = group.submit(one, first, 0);
    await new Promise((resolve) => setImmediate(resolve));
    await Promise.all([started, ...[1, 2, 3, 4, 5].map((n) => group.submit(one, first, n))]);
    expect(await transactions()).toBe(2);
  });

  it('repeats a failed transaction by parts, so that only the item fails that cannot be written', async () => {
    const group = new GroupCommit(() => 1);
    const settled = await Promise.allSettled([
      group.submit(one, first, 1),
      group.submit(one, first, -1),
      group.submit(one, first, 2),
      group.submit(other, first, 3),
    ]);
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    expect((await written()).map(({ n }) => n).sort()).toEqual([1, 2, 3]);
  });

  it('does not let a workspace whose rows are locked delay the others', async () => {
    const group = new GroupCommit(() => 1);
    const blocking = await BlockingTransaction.begin(
      fixture.testDatabase,
      `INSERT INTO written (workspace_id, n, step) VALUES (1, 1, 'first')`,
      [],
    );
    let isDone = false;
    const waiting = group.submit(one, first, 1).then(() => (isDone = true));
    await group.submit(other, first, 1);
    await Promise.all([2, 3].map((n) => group.submit(other, first, n)));
    expect(isDone).toBe(false);
    await blocking.end();
    await waiting;
    expect((await written()).map((row) => [row.workspace_id, row.n])).toContainEqual([1, 1]);
  });

  it('gives a workspace with few items its turn beside one with many', async () => {
    const group = new GroupCommit(() => 1);
    const many = Promise.all(Array.from({ length: 1_000 }, (_, n) => group.submit(one, first, n)));
    await group.submit(other, first, 1);
    await many;
    const rows = await written();
    expect(rows).toHaveLength(1_001);
    // Not after the rows that the other workspace submitted before, but in the first transaction, together with its share of them.
    expect(rows.findIndex((row) => row.workspace_id === 2)).toBeLessThan(120);
  });
});
