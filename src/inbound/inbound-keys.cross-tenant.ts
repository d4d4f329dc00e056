import { Injectable } from '@nestjs/common';
import { Signer } from '../platform/crypto/index.js';
import { Database } from '../platform/database/index.js';
import { NotFound } from '../platform/errors/index.js';
import { WorkspaceScope } from '../platform/tenancy/index.js';

const PURPOSE = 'inbound';

/** Opens the workspace that an inbound address belongs to. The signed key in the address contains its ID. */
@Injectable()
export class InboundKeys {
  constructor(
    private readonly signer: Signer,
    private readonly database: Database,
  ) {}

  keyOf(scope: WorkspaceScope): string {
    return this.signer.signIds(PURPOSE, [scope.workspace_id]);
  }

  /** @throws NotFound if the signature of the key is invalid */
  open(key: string): WorkspaceScope {
    const [workspaceId] = this.signer.verifyIds(PURPOSE, key, 1) ?? [];
    if (workspaceId === undefined) throw new NotFound();
    return WorkspaceScope.open(workspaceId, this.database);
  }
}
