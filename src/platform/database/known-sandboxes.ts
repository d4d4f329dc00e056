import { LRUCache } from 'lru-cache';
import { type Sql, sql } from '@outreach/sql-fragments';

const MAX_KNOWN_WORKSPACES = 100_000;

/** Which workspaces are sandboxes, as far as this process knows. It never changes, so each is read once. */
export class KnownSandboxes {
  private readonly known = new LRUCache<number, boolean>({ max: MAX_KNOWN_WORKSPACES });

  /**
   * A workspace that was deleted counts as a sandbox, because nothing may leave it.
   * @param query reads the workspace if this process does not know it
   */
  async isSandbox(
    workspaceId: number,
    query: (statement: Sql) => Promise<{ readonly is_sandbox: boolean }[]>,
  ): Promise<boolean> {
    const known = this.known.get(workspaceId);
    if (known !== undefined) return known;
    const [workspace] = await query(sql`SELECT is_sandbox FROM workspaces WHERE id = ${workspaceId}`.prepared());
    if (workspace) this.note(workspaceId, workspace.is_sandbox);
    return workspace?.is_sandbox ?? true;
  }

  /** So that {@link isSandbox} needs no statement. */
  note(workspaceId: number, isSandbox: boolean): void {
    this.known.set(workspaceId, isSandbox);
  }
}
