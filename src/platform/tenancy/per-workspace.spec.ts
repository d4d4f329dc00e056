import type { Database } from '../database/index.js';
import { PerWorkspace } from './per-workspace.js';
import { WorkspaceScope } from './workspace-scope.js';

const database = { forWorkspace: () => database } as unknown as Database;

const scope = (workspaceId: number): WorkspaceScope => WorkspaceScope.open(workspaceId, database);

describe('PerWorkspace', () => {
  it('creates one value for each workspace', () => {
    const created: number[] = [];
    const lists = new PerWorkspace(({ workspace_id: id }) => [created.push(id)]);
    expect(lists.of(scope(1))).toBe(lists.of(scope(1)));
    expect(lists.of(scope(1))).not.toBe(lists.of(scope(2)));
    expect(created).toEqual([1, 2]);
  });

  it('removes the least recently used value when there are more than a thousand workspaces', () => {
    const lists = new PerWorkspace(() => []);
    const first = lists.of(scope(1));
    const second = lists.of(scope(2));
    for (let id = 3; id <= 1000; id++) lists.of(scope(id));
    expect(lists.of(scope(1))).toBe(first);
    lists.of(scope(1001));
    expect(lists.of(scope(1))).toBe(first);
    expect(lists.of(scope(2))).not.toBe(second);
  });
});
