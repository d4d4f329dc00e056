import { createHash } from 'node:crypto';
import { type Database, sql } from '../../src/platform/database/index.js';
import { useDatabase } from '../support/database.js';

describe('prepared statements', () => {
  const fixture = useDatabase(1);

  const preparedNow = () => fixture.database.query<{ name: string }>(sql`SELECT name FROM pg_prepared_statements`);
  const ask = (on: Database = fixture.database) => on.query(sql`SELECT ${'yes'}::text AS answer`.prepared());

  it('are prepared once per connection, and disabled when a session has lost one', async () => {
    await ask();
    await ask();
    // The name is the same in all processes, which share sessions behind a pooler.
    const digest = createHash('sha256').update('SELECT $1::text AS answer').digest('hex').slice(0, 32);
    expect(await preparedNow()).toEqual([{ name: `statement_${digest}` }]);

    // The effect of a pooler in transaction mode: the next transaction runs in another session.
    await fixture.database.execute(sql`DEALLOCATE ALL`);
    expect(await fixture.database.transaction((tx) => ask(tx))).toEqual([{ answer: 'yes' }]);
    expect(await ask()).toEqual([{ answer: 'yes' }]);
    expect(await preparedNow()).toEqual([]);
  });
});
