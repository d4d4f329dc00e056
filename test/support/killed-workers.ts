import { Database } from '../../src/platform/database/index.js';
import { LeaseRecovery } from '../../src/sending/dispatch/leases.cross-tenant.js';
import { eventually } from './eventually.js';
import type { TestService } from './service.js';

/**
 * Does at once what another worker does about half a minute after the workers were killed: ends the leases of their messages,
 * and recovers these. No other worker may be sending.
 */
export async function recoverMessages({ app, database }: TestService): Promise<void> {
  const recovery = new LeaseRecovery(app.get(Database));
  // Until PostgreSQL has noticed that the processes are gone, they have their sessions, and perhaps transactions.
  await eventually(async () => {
    await database.query('UPDATE queued_messages SET lease_until = now() WHERE lease_until IS NOT NULL');
    await recovery.recover({ leased: [], judgesOthers: true });
    expect(await database.query('SELECT id FROM queued_messages WHERE lease_until IS NOT NULL')).toEqual([]);
  });
}
