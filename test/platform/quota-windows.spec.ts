import { EndedWindows } from '../../src/platform/quota/index.js';
import { useDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { useService } from '../support/service.js';

const insertWindows = (prefix: string, count: number, endsAt: string): string =>
  `INSERT INTO quota_counters (key, requests, ends_at)
   SELECT '${prefix}' || n, 1, now() + interval '${endsAt}' FROM generate_series(1, ${count}) n`;

describe('The windows of quotas in PostgreSQL', () => {
  const fixture = useDatabase(2);

  it('are deleted in batches when they have ended, and stay while they run', async () => {
    await fixture.testDatabase.query(insertWindows('token:', 25_000, '-1 second'));
    await fixture.testDatabase.query(insertWindows('workspace:', 3, '1 minute'));
    expect(await new EndedWindows(fixture.database).delete()).toBe(25_000);
    expect(await new EndedWindows(fixture.database).delete()).toBe(0);
    expect(await fixture.testDatabase.query('SELECT count(*)::int AS left FROM quota_counters')).toEqual([{ left: 3 }]);
  });
});

describe('A worker', () => {
  const service = useService();

  it('deletes the ended windows of tokens that no longer exist', async () => {
    await service.database.query(insertWindows('token:', 10, '-1 second'));
    await service.startWorker();
    await eventually(async () => {
      expect(await service.database.query(`SELECT key FROM quota_counters WHERE key LIKE 'token:%'`)).toEqual([]);
    });
  });
});
