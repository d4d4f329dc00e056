import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

/** A foreign key between tables, in the direction in which it refers. */
interface ForeignKeyRow {
  readonly child: string;
  readonly parent: string;
  readonly cascades: boolean;
}

/**
 * Deleting the first table alone would fail: its cascade reaches the third one, to which the second one refers with
 * `NO ACTION`, before the second one. The code deletes or detaches the second one before.
 */
const DELETED_BEFORE = [['campaigns', 'queued_messages', 'campaign_steps']];

describe('foreign keys', () => {
  let database: TestDatabase;
  let keys: readonly ForeignKeyRow[];
  beforeAll(async () => {
    database = await createTestDatabase();
    keys = await database.query<ForeignKeyRow & Record<string, unknown>>(
      `SELECT conrelid::regclass::text AS child, confrelid::regclass::text AS parent, confdeltype = 'c' AS cascades
       FROM pg_constraint JOIN pg_class class ON class.oid = conrelid
       WHERE contype = 'f' AND NOT class.relispartition AND class.relnamespace = 'public'::regnamespace`,
    );
  });
  afterAll(() => database.drop());

  /** The longest way of cascades from each table above `table` down to it. */
  function levelsAbove(table: string): Map<string, number> {
    const levels = new Map<string, number>();
    const climb = (from: string, level: number): void => {
      for (const { parent } of keys.filter(({ child, cascades }) => cascades && child === from)) {
        if ((levels.get(parent) ?? 0) < level) {
          levels.set(parent, level);
          climb(parent, level + 1);
        }
      }
    };
    climb(table, 1);
    return levels;
  }

  it('with NO ACTION refer to what no cascade deletes before the record, or the code deletes the record before', () => {
    const restricting = keys.filter(({ cascades }) => !cascades);
    expect(restricting.length).toBeGreaterThan(3);
    const found = restricting.flatMap(({ child, parent }) => {
      const [ofChild, ofParent] = [levelsAbove(child), levelsAbove(parent)];
      return [...ofParent]
        .filter(([ancestor, level]) => (ofChild.get(ancestor) ?? 0) > level)
        .map(([ancestor]) => [ancestor, child, parent]);
    });
    expect(found).toEqual(DELETED_BEFORE);
  });
});
