import { Injectable } from '@nestjs/common';
import { Signer } from '../platform/crypto/index.js';
import { Database, sql } from '../platform/database/index.js';
import { NotFound } from '../platform/errors/index.js';
import { WorkspaceScope } from '../platform/tenancy/index.js';

const PURPOSE = 'inbound';

/**
 * Opens the workspace that an inbound address belongs to. The signed key in the address contains its ID and, once it was
 * replaced, its version.
 */
@Injectable()
export class InboundKeys {
  constructor(
    private readonly signer: Signer,
    private readonly database: Database,
  ) {}

  async keyOf(scope: WorkspaceScope): Promise<string> {
    return this.sign(scope.workspace_id, (await this.versionOf(scope.workspace_id)) ?? 0);
  }

  /** Returns a new key. The one before is invalid when the statement is committed. */
  async rotate(scope: WorkspaceScope): Promise<string> {
    const [row] = await scope.query<{ version: number }>(
      sql`UPDATE workspaces SET inbound_key_version = inbound_key_version + 1 WHERE id = ${scope}
          RETURNING inbound_key_version AS version`,
    );
    if (!row) throw new NotFound('Workspace');
    return this.sign(scope.workspace_id, row.version);
  }

  /** @throws NotFound if the key is not the current one of a workspace */
  async open(key: string): Promise<WorkspaceScope> {
    const [workspaceId, version = 0] =
      this.signer.verifyIds(PURPOSE, key, 1) ?? this.signer.verifyIds(PURPOSE, key, 2) ?? [];
    if (workspaceId === undefined || version !== (await this.versionOf(workspaceId))) throw new NotFound();
    return WorkspaceScope.open(workspaceId, this.database);
  }

  private sign(workspaceId: number, version: number): string {
    return this.signer.signIds(PURPOSE, version === 0 ? [workspaceId] : [workspaceId, version]);
  }

  private async versionOf(workspaceId: number): Promise<number | undefined> {
    const [row] = await this.database.query<{ version: number }>(
      sql`SELECT inbound_key_version AS version FROM workspaces
          WHERE id = ${workspaceId} AND deletion_started_at IS NULL`,
    );
    return row?.version;
  }
}
