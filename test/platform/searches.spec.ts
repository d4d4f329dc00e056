import { type Database, sql } from '../../src/platform/database/index.js';
import { BlockingTransaction } from '../support/blocking-transaction.js';
import { useDatabase } from '../support/database.js';

const CONNECTIONS = 8;
/** Three quarters of the connections, and of the places for searches beside other workspaces. */
const MAX_ALONE = 6;
const MAX_BESIDE_OTHERS = 3;

describe('the searches of a workspace that run at the same time', () => {
  const fixture = useDatabase(CONNECTIONS);

  /** Begins searches that wait for a lock until `running` of them run, and lets them end. */
  async function expectRunning(running: number, database: Database): Promise<void> {
    const lock = await BlockingTransaction.begin(fixture.testDatabase, 'SELECT pg_advisory_xact_lock($1)', [1]);
    const search = (): Promise<unknown> => database.search(sql`SELECT pg_advisory_xact_lock_shared(1)::text AS locked`);
    const searches = Array.from({ length: CONNECTIONS }, search);
    await lock.blocks(running);
    await lock.end();
    await Promise.all(searches);
  }

  it('are limited by its connections while it is alone, and by the places for searches beside another one', async () => {
    const own = fixture.database.forTenant(1);
    await expectRunning(MAX_ALONE, own);
    await fixture.database.forTenant(2).query(sql`SELECT 1`);
    await expectRunning(MAX_BESIDE_OTHERS, own);
  });
});
