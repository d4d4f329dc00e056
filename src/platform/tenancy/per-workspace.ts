import { LRUCache } from 'lru-cache';
import type { WorkspaceScope } from './workspace-scope.js';

const MAX_WORKSPACES = 1000;

/**
 * A value for each workspace, created at its first use and shared in this process. Only for values that can be created
 * again at any time: the least recently used is removed when there are more than a thousand, and a caller that has it
 * may continue to use it.
 */
export class PerWorkspace<T extends object> {
  readonly #values = new LRUCache<number, T>({ max: MAX_WORKSPACES });

  /** @param create gets a scope without an open transaction, which the value may use as long as it exists */
  constructor(private readonly create: (scope: WorkspaceScope) => T) {}

  of(scope: WorkspaceScope): T {
    const cached = this.#values.get(scope.workspace_id);
    if (cached) return cached;
    const value = this.create(scope);
    this.#values.set(scope.workspace_id, value);
    return value;
  }
}
