import { LRUCache } from 'lru-cache';
import type { DataSource } from 'typeorm';
import { type Sql, sql } from './sql.js';

const MAX_KNOWN_WORKSPACES = 100_000;
const COLUMN = Symbol('SandboxColumn');

/** Declares the column that says which workspaces are sandboxes, in the entity of workspaces. */
export const SandboxColumn = (): PropertyDecorator => (target, column) =>
  Reflect.defineMetadata(COLUMN, column, target.constructor);

/** Which workspaces are sandboxes, as far as this process knows. It never changes, so each is read once. */
export class KnownSandboxes {
  private readonly known = new LRUCache<number, boolean>({ max: MAX_KNOWN_WORKSPACES });

  constructor(private readonly source: Pick<DataSource, 'entityMetadatas'>) {}

  /**
   * A workspace that was deleted counts as a sandbox, because nothing may leave it.
   * @param query reads the workspace if this process does not know it
   * @throws Error if no entity has a {@link SandboxColumn}
   */
  async isSandbox(
    workspaceId: number,
    query: (statement: Sql) => Promise<{ readonly is_sandbox: boolean }[]>,
  ): Promise<boolean> {
    const known = this.known.get(workspaceId);
    if (known !== undefined) return known;
    const [workspace] = await query(this.statement(workspaceId));
    if (workspace) this.note(workspaceId, workspace.is_sandbox);
    return workspace?.is_sandbox ?? true;
  }

  /** So that {@link isSandbox} needs no statement. */
  note(workspaceId: number, isSandbox: boolean): void {
    this.known.set(workspaceId, isSandbox);
  }

  private statement(workspaceId: number): Sql {
    for (const { target, tableName } of this.source.entityMetadatas) {
      const column =
        typeof target === 'function' ? (Reflect.getMetadata(COLUMN, target) as string | undefined) : undefined;
      if (column === undefined) continue;
      return sql`SELECT ${sql.ref(column)} AS is_sandbox FROM ${sql.ref(tableName)} WHERE id = ${workspaceId}`.prepared();
    }
    throw new Error('No entity declares with @SandboxColumn which workspaces are sandboxes.');
  }
}
