import type { JobKey } from '@outreach/job-queue';
import { sql } from '../../src/platform/database/index.js';
import { workspaceRotation } from '../../src/platform/queue/index.js';
import { useDatabase } from '../support/database.js';

describe('workspaceRotation', () => {
  const fixture = useDatabase(1);

  const keysOf = (counts: readonly number[]): Promise<JobKey[]> =>
    fixture.database.query<JobKey & { id: number }>(
      sql`SELECT workspace_id, id
          FROM unnest(${[...counts]}::int[]) WITH ORDINALITY AS workspace (keys, workspace_id), generate_series(1, keys) id
          ${workspaceRotation(sql`workspace_id`)}`,
    );

  it('returns one key of each workspace before the second of any', async () => {
    const workspaces = (await keysOf([10_000, 1, 2])).map(({ workspace_id: id }) => id);
    expect(workspaces.slice(0, 3).sort()).toEqual([1, 2, 3]);
    expect(workspaces.slice(3, 5).sort()).toEqual([1, 3]);
    expect(new Set(workspaces.slice(5))).toEqual(new Set([1]));
  });

  it('limits the number of keys, and returns others each time', async () => {
    const [first, second] = [await keysOf([10_000]), await keysOf([10_000])];
    expect([first.length, second.length]).toEqual([250, 250]);
    expect(new Set([...first, ...second].map(({ id }) => id)).size).toBeGreaterThan(250);
  });
});
