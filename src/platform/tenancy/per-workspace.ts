import type { WorkspaceScope } from './workspace-scope.js';

const MAX_WORKSPACES = 1000;

/**
 * A value for each workspace, created at its first use and shared in this process. Only for values that can be created
 * again at any time: when there are a thousand, all are removed, and a caller that still has one goes on using it.
 */
export class PerWorkspace<T> {
  readonly #values = new Map<number, T>();

  /** @param create gets a scope without an open transaction, which the value may use as long as it exists */
  constructor(private readonly create: (scope: WorkspaceScope) => T) {}

  of(scope: WorkspaceScope): T {
    const cached = this.#values.get(scope.workspace_id);
    if (cached !== undefined) return cached;
    if (this.#values.size >= MAX_WORKSPACES) this.#values.clear();
    const value = this.create(scope);
    this.#values.set(scope.workspace_id, value);
    return value;
  }
}
