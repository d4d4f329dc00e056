import type { Database } from '../database/index.js';
import { PerWorkspace } from './per-workspace.js';
import { WorkspaceScope } from './workspace-scope.js';

const database = { forTenant: () => database, refreshClock: () => undefined } as unknown as Database;

const scope = (workspaceId: number): Promise<WorkspaceScope> => WorkspaceScope.open(workspaceId, database);

describe('PerWorkspace', () => {
  it('creates one value for each workspace', async () => {
    const created: number[] = [];
    const lists = new PerWorkspace(({ workspace_id: id }) => [created.push(id)]);
    expect(lists.of(await scope(1))).toBe(lists.of(await scope(1)));
    expect(lists.of(await scope(1))).not.toBe(lists.of(await scope(2)));
    expect(created).toEqual([1, 2]);
  });

  it('removes the least recently used value when there are more than a thousand workspaces', async () => {
    const lists = new PerWorkspace(() => []);
    const first = lists.of(await scope(1));
    const second = lists.of(await scope(2));
    for (let id = 3; id <= 1000; id++) lists.of(await scope(id));
    expect(lists.of(await scope(1))).toBe(first);
    lists.of(await scope(1001));
    expect(lists.of(await scope(1))).toBe(first);
    expect(lists.of(await scope(2))).not.toBe(second);
  });
});
