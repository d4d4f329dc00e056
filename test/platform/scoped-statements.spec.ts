import { Readable } from 'node:stream';
import { type Sql, sql } from '../../src/platform/database/index.js';
import { WorkspaceScope } from '../../src/platform/tenancy/index.js';
import { useDatabase } from '../support/database.js';

describe('WorkspaceScope', () => {
  const fixture = useDatabase(2);
  let scope: WorkspaceScope;
  let other: WorkspaceScope;

  beforeAll(async () => {
    scope = await WorkspaceScope.open(1, fixture.database);
    other = await WorkspaceScope.open(2, fixture.database);
  });

  const query = async (statement: Sql, on = scope) => on.query(statement);

  it('refuses a statement that does not name it', async () => {
    await expect(query(sql`SELECT 1`)).rejects.toThrow('never names its workspace');
    await expect(query(sql`SELECT 1 FROM contacts WHERE workspace_id = ${other}`)).rejects.toThrow('never names');
  });

  it.each(['contacts', 'list_members', 'record_counts', 'email_account_days'])(
    'refuses a sub-select on %s that does not compare its workspace',
    async (table) => {
      const members = sql`SELECT count(*) FROM ${sql.ref(table)} other`;
      const statement = sql`SELECT (${members}) FROM contacts contact WHERE contact.workspace_id = ${scope}`;
      await expect(query(statement)).rejects.toThrow(`uses ${table} other without its workspace`);
      const scoped = sql`SELECT (${members} WHERE other.workspace_id = ${scope})::int AS members`;
      expect(await query(scoped)).toEqual([{ members: 0 }]);
    },
  );

  it('refuses a comparison with another workspace, also in the text of a statement that it has accepted', async () => {
    const compared = (first: WorkspaceScope, second: WorkspaceScope) =>
      sql`SELECT 1 FROM contacts WHERE workspace_id = ${first} AND id <> ${second}`;
    expect(await query(compared(scope, other))).toEqual([]);
    await expect(query(compared(other, scope))).rejects.toThrow('uses contacts without its workspace');
    expect(await query(compared(other, scope), other)).toEqual([]);
  });

  it('accepts a fragment with the scope outside of the transaction that runs the statement', async () => {
    const outside = sql`SELECT id FROM contacts WHERE workspace_id = ${scope}`;
    expect(await scope.transaction((tx) => tx.query(sql`${outside} AND ${tx}::bigint > 0`))).toEqual([]);
  });

  it('accepts a table of all workspaces after crossTenant', async () => {
    const entries = sql`SELECT count(*)::int FROM ${scope.crossTenant} blacklist_entries entry`;
    expect(await query(sql`SELECT (${entries}) AS entries, ${scope}::int AS id`)).toEqual([{ entries: 0, id: 1 }]);
  });

  it('refuses to copy into a table of tenants', () => {
    const copy = () => scope.copyIn(sql`COPY contacts (workspace_id, email) FROM STDIN`, Readable.from([]));
    expect(copy).toThrow('uses contacts without its workspace');
  });

  it('checks the statements of execute, cheapest and costs, too', async () => {
    const statement = sql`SELECT count(*) FROM contacts WHERE id = ${scope}`;
    expect(() => scope.execute(statement)).toThrow('uses contacts');
    expect(() => scope.cheapest([[statement]])).toThrow('uses contacts');
    expect(() => scope.costs([statement])).toThrow('uses contacts');
  });
});
