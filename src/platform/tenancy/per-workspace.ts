import type { WorkspaceScope } from './workspace-scope.js';

const MOST_WORKSPACES = 1000;

/**
 * Something that those who work for one workspace share in this process, made by whoever needs it first. Only for what
 * may be made anew at any time: beyond a thousand workspaces all are forgotten, and live on in those who have them.
 */
export class PerWorkspace<T> {
  readonly #made = new Map<number, T>();

  /** @param make is given a scope outside of transactions, to be used for as long as what it makes */
  constructor(private readonly make: (scope: WorkspaceScope) => T) {}

  of(scope: WorkspaceScope): T {
    const known = this.#made.get(scope.workspace_id);
    if (known !== undefined) return known;
    if (this.#made.size >= MOST_WORKSPACES) this.#made.clear();
    const made = this.make(scope);
    this.#made.set(scope.workspace_id, made);
    return made;
  }
}
