import { Injectable } from '@nestjs/common';
import { Signer } from '../platform/crypto/index.js';
import { Database } from '../platform/database/index.js';
import { NotFound } from '../platform/errors/index.js';
import { WorkspaceScope } from '../platform/tenancy/index.js';

const PURPOSE = 'inbound';

/** Opens a workspace for those who report to it: the key in their address is signed, and names it. */
@Injectable()
export class InboundKeys {
  constructor(
    private readonly signer: Signer,
    private readonly database: Database,
  ) {}

  keyOf(scope: WorkspaceScope): string {
    return this.signer.signIds(PURPOSE, [scope.workspace_id]);
  }

  /** @throws NotFound for a key that was not made here */
  open(key: string): WorkspaceScope {
    const [workspaceId] = this.signer.verifyIds(PURPOSE, key, 1) ?? [];
    if (workspaceId === undefined) throw new NotFound();
    return WorkspaceScope.open(workspaceId, this.database);
  }
}
