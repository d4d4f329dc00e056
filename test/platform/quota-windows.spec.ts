import { EndedWindows } from '@outreach/request-windows';
import { Database } from '../../src/platform/database/index.js';
import { eventually } from '../support/eventually.js';
import { useService } from '../support/service.js';

const insertWindows = (prefix: string, count: number, endsAt: string): string =>
  `INSERT INTO quota_counters (key, requests, ends_at)
   SELECT '${prefix}' || n, 1, now() + interval '${endsAt}' FROM generate_series(1, ${count}) n`;

describe('The windows of quotas in PostgreSQL', () => {
  const service = useService();

  it('are deleted in batches when they have ended, and stay while they run', async () => {
    await service.database.query(insertWindows('token:', 25_000, '-1 second'));
    await service.database.query(insertWindows('workspace:', 3, '1 hour'));
    const ended = new EndedWindows(service.app.get(Database));
    expect(await ended.delete()).toBe(25_000);
    expect(await ended.delete()).toBe(0);
    expect(await service.database.query('SELECT count(*)::int AS left FROM quota_counters')).toEqual([{ left: 3 }]);
  });

  it('are deleted by a worker, also those of tokens that no longer exist', async () => {
    await service.database.query(insertWindows('token:', 10, '-1 second'));
    await service.startWorker();
    await eventually(async () => {
      expect(await service.database.query(`SELECT key FROM quota_counters WHERE key LIKE 'token:%'`)).toEqual([]);
    });
  });
});
