import pg from 'pg';
import { cachedCount, CounterCache, sql, SqlValue } from '../../src/platform/database/index.js';
import { useDatabase } from '../support/database.js';

class Id extends SqlValue {
  constructor(readonly sqlValue: number) {
    super();
  }
}

/** More rows than one statement merges. */
const MANY = 25_000;

describe('CounterCache', () => {
  const fixture = useDatabase(8);
  let counts: CounterCache;
  let workspace: Id;
  let list: number;

  beforeAll(async () => {
    counts = new CounterCache(fixture.database);
  });
  beforeEach(async () => {
    workspace = new Id(await inserted('INSERT INTO workspaces (name) VALUES ($1) RETURNING id', ['Test']));
    list = await inserted(`INSERT INTO lists (workspace_id, name) VALUES ($1, 'List') RETURNING id`, [
      workspace.sqlValue,
    ]);
  });

  async function inserted(text: string, values: unknown[]): Promise<number> {
    const [row] = await fixture.testDatabase.query<{ id: string }>(text, values);
    return Number(row?.id);
  }

  /** The counters and the counted numbers, read by one statement. */
  async function compared(): Promise<{ cached: number[]; counted: number[]; changes: number }> {
    const members = sql`SELECT count(*) FROM list_members WHERE workspace_id = ${workspace} AND list_id = ${list}`;
    const [row] = await fixture.database.query<{ cached: number[]; counted: number[]; changes: number }>(
      sql`SELECT json_build_array(${cachedCount(workspace, 'contacts')},
                   ${cachedCount(workspace, 'list_members', sql`${list}`)}) AS cached,
                 json_build_array((SELECT count(*) FROM contacts WHERE workspace_id = ${workspace}), (${members})) AS counted,
                 ${cachedCount(workspace, 'contact_changes')} AS changes`,
    );
    if (!row) throw new Error('The statement returned no row.');
    return row;
  }

  const rowsOf = (counted: string) =>
    fixture.testDatabase.query<{ owner_id: number; total: number; is_merged: boolean }>(
      `SELECT owner_id, total, is_merged FROM record_counts WHERE workspace_id = $1 AND counted = $2 ORDER BY owner_id`,
      [workspace.sqlValue, counted],
    );

  const differ = (count: number, total = 1): Promise<unknown> =>
    fixture.testDatabase.query(
      `INSERT INTO record_counts (workspace_id, counted, owner_id, total)
       SELECT $1, 'tried', n % 7, $3 FROM generate_series(1, $2::int) n`,
      [workspace.sqlValue, count, total],
    );

  const cached = async (owner: number): Promise<number> => {
    const [row] = await fixture.database.query<{ total: number }>(
      sql`SELECT ${cachedCount(workspace, 'tried', sql`${owner}`)} AS total`,
    );
    return row?.total ?? Number.NaN;
  };

  it('returns the exact number of rows at every moment while several processes write and merge', async () => {
    const prefix = (writer: number, round: number): string => `w${writer}-${round}-`;
    const write = async (writer: number): Promise<void> => {
      for (let round = 0; round < 25; round++) {
        await fixture.database.execute(
          sql`WITH made AS (
                INSERT INTO contacts (workspace_id, email)
                SELECT ${workspace}, ${prefix(writer, round)} || n || '@example.com' FROM generate_series(1, 4) n
                RETURNING workspace_id, id, created_at)
              INSERT INTO list_members (workspace_id, contact_id, list_id, contact_created_at)
              SELECT workspace_id, id, ${list}, created_at FROM made`,
        );
        const gone = `${prefix(writer, round - 1)}%`;
        await fixture.database.execute(
          sql`DELETE FROM contacts WHERE workspace_id = ${workspace} AND email LIKE ${gone}`,
        );
      }
    };
    let isOver = false;
    const until = async (work: () => Promise<void>): Promise<void> => {
      while (!isOver) await work();
    };
    let before = 0;
    const compare = async (): Promise<void> => {
      const { cached: cachedTotals, counted, changes } = await compared();
      expect(cachedTotals).toEqual(counted);
      expect(changes).toBeGreaterThanOrEqual(before);
      before = changes;
    };
    const merge = () => counts.merge();
    const writers = Promise.all([write(1), write(2), write(3)]).finally(() => (isOver = true));
    await Promise.all([writers, until(merge), until(merge), until(compare)]);
    await compare();
    expect((await compared()).counted).toEqual([12, 12]);
    // Three writers run 25 INSERTs and 25 DELETEs each, and each statement changes contacts.
    expect(before).toBeGreaterThanOrEqual(3 * 25 * 2);
  });

  it('leaves one row per counter after a merge', async () => {
    await differ(70);
    await differ(7, -3);
    await counts.merge();
    const rows = await rowsOf('tried');
    expect(rows).toEqual(Array.from({ length: 7 }, (_, owner) => ({ owner_id: owner, total: 7, is_merged: true })));
    await differ(7);
    await counts.merge();
    expect((await rowsOf('tried')).map(({ total }) => total)).toEqual(Array(7).fill(8));
  });

  it('merges in batches, even in concurrent calls, without a change of the sums', async () => {
    await differ(MANY);
    await Promise.all([counts.merge(), counts.merge(), counts.merge()]);
    await counts.merge();
    const totals = await Promise.all([0, 1, 2, 3, 4, 5, 6].map(cached));
    expect(totals).toEqual([3571, 3572, 3572, 3572, 3571, 3571, 3571]);
    expect((await rowsOf('tried')).every((row) => row.is_merged)).toBe(true);
  });

  it('merges a row that is committed after a merge with the next one, although the row is older', async () => {
    const late = new pg.Client({ connectionString: fixture.testDatabase.url });
    await late.connect();
    try {
      await late.query('BEGIN');
      await late.query(
        `INSERT INTO record_counts (workspace_id, counted, owner_id, total) VALUES ($1, 'tried', 1, 1000)`,
        [workspace.sqlValue],
      );
      await differ(7);
      await counts.merge();
      expect(await cached(1)).toBe(1);
      await late.query('COMMIT');
      expect(await cached(1)).toBe(1001);
      await counts.merge();
      expect(await cached(1)).toBe(1001);
      expect(await rowsOf('tried')).toHaveLength(7);
    } finally {
      await late.end();
    }
  });

  it('does not change the sum for a transaction that started before the merge', async () => {
    await differ(14);
    const reader = new pg.Client({ connectionString: fixture.testDatabase.url });
    await reader.connect();
    const sum = async (): Promise<number> => {
      const { rows } = await reader.query<{ total: string }>(
        `SELECT sum(total) AS total FROM record_counts WHERE workspace_id = $1 AND counted = 'tried'`,
        [workspace.sqlValue],
      );
      return Number(rows[0]?.total);
    };
    try {
      await reader.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
      expect(await sum()).toBe(14);
      await counts.merge();
      await differ(7);
      expect(await sum()).toBe(14);
      await reader.query('COMMIT');
      expect(await sum()).toBe(21);
    } finally {
      await reader.end();
    }
  });

  it('keeps the counters of different workspaces and owners apart', async () => {
    await differ(7);
    const own = workspace;
    workspace = new Id(await inserted('INSERT INTO workspaces (name) VALUES ($1) RETURNING id', ['Other']));
    await differ(700);
    await counts.merge();
    workspace = own;
    expect(await cached(0)).toBe(1);
    expect(await cached(99)).toBe(0);
  });
});
