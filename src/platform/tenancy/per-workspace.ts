import type { WorkspaceScope } from './workspace-scope.js';

const MAX_WORKSPACES = 1000;

/**
 * Something that those who work for one workspace share in this process, made by whoever needs it first. Only for what
 * may be made anew at any time: beyond a thousand workspaces all are forgotten, and live on in those who have them.
 */
export class PerWorkspace<T> {
  readonly #values = new Map<number, T>();

  /** @param create is given a scope outside of transactions, to be used for as long as what it makes */
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
