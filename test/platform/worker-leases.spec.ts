import { randomUUID } from 'node:crypto';
import { isLeaseOver } from '@outreach/job-queue';
import { sql } from '../../src/platform/database/index.js';
import { useService } from '../support/service.js';

const LEASE_MS = 20_000;

describe('on several nodes, where the sessions of workers are read some time before a statement', () => {
  const service = useService();
  const locksReadAt = new Date('2026-03-01T12:00:00.000Z');
  const after = (milliseconds: number): Date => new Date(locksReadAt.getTime() + milliseconds);

  /** @param until when the lease of a worker whose session was not found ends */
  async function isOver(until: Date, at: Date): Promise<boolean | undefined> {
    const lease = sql`SELECT ${isLeaseOver(sql`lease`)} AS is_over
      FROM (SELECT ${randomUUID()}::uuid AS leased_by, ${until}::timestamptz AS lease_until) lease`;
    const { text, values } = lease.toQuery({ at, locks: [], locksReadAt });
    const [row] = await service.database.query<{ is_over: boolean }>(text, values);
    return row?.is_over;
  }

  it('the lease of a worker that has connected since is not over, however late the statement is', async () => {
    expect(await isOver(after(1 + LEASE_MS), after(60 * LEASE_MS))).toBe(false);
  });

  it('a lease that had expired when its worker was not found is over', async () => {
    expect(await isOver(after(0), after(500))).toBe(true);
  });
});
