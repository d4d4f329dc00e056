import { Tag } from '../../src/contacts/index.js';
import { type Sql, sql } from '../../src/platform/database/index.js';
import { WorkspaceScope } from '../../src/platform/tenancy/index.js';
import { Workspaces } from '../../src/workspaces/index.js';
import { useDatabase } from '../support/database.js';
import { MovableClocks } from '../support/movable-clocks.js';

const HOUR_MS = 3_600_000;

describe('the clocks of workspaces', () => {
  const fixture = useDatabase(2);
  let clocks: MovableClocks;
  let own: WorkspaceScope;
  let other: WorkspaceScope;

  beforeEach(async () => {
    clocks = new MovableClocks();
    const database = fixture.database.withClocks(clocks);
    const workspaces = new Workspaces(database);
    const open = async () => WorkspaceScope.open((await workspaces.create('Test')).id, database);
    own = await open();
    other = await open();
  });

  /** How many hours a time in SQL is ahead of the real time. */
  const hoursAhead = async (scope: WorkspaceScope, time: Sql = scope.now): Promise<number> => {
    const [row] = await scope.query<{ hours: number }>(
      sql`SELECT (extract(epoch FROM ${time} - ${sql.realNow}) / 3600)::float8 AS hours WHERE ${scope}::bigint > 0`,
    );
    return row?.hours ?? 0;
  };
  const hoursFromNow = (time: Date): number => Math.round((time.getTime() - Date.now()) / HOUR_MS) + 0;

  it('show the real time until a workspace has a clock of its own', async () => {
    expect(await hoursAhead(own)).toBe(0);
    clocks.advance(own.workspace_id, { hours: 2 });
    expect([await hoursAhead(own), await hoursAhead(other)]).toEqual([2, 0]);
    expect([own, other].map(({ clock }) => hoursFromNow(clock.now()))).toEqual([2, 0]);
  });

  it('are the time of the records that a repository inserts and updates', async () => {
    clocks.advance(own.workspace_id, { hours: 2 });
    const tag = await own.of(Tag).insert({ name: 'Customers' });
    expect(hoursFromNow(tag.created_at)).toBe(2);
    const ofOther = await other.of(Tag).insert({ name: 'Customers' });
    expect(hoursFromNow(ofOther.created_at)).toBe(0);
    clocks.advance(own.workspace_id, { hours: 1 });
    const renamed = await own.of(Tag).update(tag.id, { name: 'Partners' });
    expect([renamed.created_at, renamed.updated_at].map(hoursFromNow)).toEqual([2, 3]);
  });

  it('stand still in a transaction, also in a nested one, if they are put forward meanwhile', async () => {
    const read = await own.transaction(async (tx) => {
      const before = await hoursAhead(tx);
      clocks.advance(own.workspace_id, { hours: 5 });
      return [before, await hoursAhead(tx), await tx.transaction((nested) => hoursAhead(nested))];
    });
    expect(read).toEqual([0, 0, 0]);
    expect(await own.transaction((tx) => hoursAhead(tx))).toBe(5);
    expect(await hoursAhead(own)).toBe(5);
  });

  it('stand still in a transaction whose commit is delayed', async () => {
    const { scope, commit } = own.delayCommit(async () => undefined);
    const before = await scope.transaction((tx) => hoursAhead(tx));
    clocks.advance(own.workspace_id, { hours: 5 });
    expect([before, await scope.transaction((tx) => hoursAhead(tx)), await hoursAhead(scope)]).toEqual([0, 0, 0]);
    await commit.finish();
  });

  it('can be compared with the rows of all workspaces in one statement', async () => {
    const database = fixture.database.withClocks(clocks);
    await new Workspaces(database).create('With the real time');
    clocks.advance(own.workspace_id, { hours: 3 });
    clocks.advance(other.workspace_id, { hours: 4 });
    const rows = await database.query<{ hours: number }>(
      sql`SELECT (extract(epoch FROM ${database.nowOf(sql`workspace.id`)} - ${sql.realNow}) / 3600)::int AS hours
          FROM workspaces workspace ORDER BY workspace.id DESC LIMIT 3`,
    );
    expect(rows.map(({ hours }) => hours)).toEqual([0, 4, 3]);
  });
});
